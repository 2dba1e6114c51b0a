import { type Address, Dictionary } from '@ton/core';
import {
  type CampaignParams,
  loadCampaignParams,
} from '../../../shared/contracts/crowdfunding/campaign-params.ts';
import type { World } from './world.ts';

export const campaignStatuses = ['active', 'successful', 'failed', 'emergency_withdrawn'] as const;

export type CampaignStatus = (typeof campaignStatuses)[number];

export interface CampaignState {
  status: CampaignStatus;
  paused: boolean;
  total: bigint;
  pending: bigint;
  totalClaimed: bigint;
  totalRefunded: bigint;
  daoFeeClaimed: boolean;
  finishedAt: number;
  params: CampaignParams;
  dao: Address;
  crowdfunding: Address;
  campaignId: bigint;
  jettonWallet: Address | null;
  held: bigint;
  whitelist: Address[];
}

/** One wallet's part in a campaign. */
export interface HelperState {
  amount: bigint;
  claimed: boolean;
  refunded: boolean;
}

export interface VaultState {
  initialised: boolean;
  total: bigint;
  claimed: bigint;
  start: number;
  cliff: number;
  duration: number;
  tgeBps: number;
  released: boolean;
  lpWallet: Address | null;
}

/** What a campaign's contract says of itself. */
export async function readCampaign(world: World, campaign: Address): Promise<CampaignState> {
  const data = await world.get(campaign, 'get_campaign_data');
  return {
    status: campaignStatuses[data.readNumber()] ?? 'active',
    paused: data.readBoolean(),
    total: data.readBigNumber(),
    pending: data.readBigNumber(),
    totalClaimed: data.readBigNumber(),
    totalRefunded: data.readBigNumber(),
    daoFeeClaimed: data.readBoolean(),
    finishedAt: data.readNumber(),
    params: loadCampaignParams(data.readCell().beginParse()),
    dao: data.readAddress(),
    crowdfunding: data.readAddress(),
    campaignId: data.readBigNumber(),
    jettonWallet: data.readAddressOpt(),
    held: data.readBigNumber(),
    whitelist:
      data
        .readCellOpt()
        ?.beginParse()
        .loadDictDirect(Dictionary.Keys.Address(), Dictionary.Values.Bool())
        .keys() ?? [],
  };
}

/** What a helper says of itself; undefined where the wallet has never contributed. */
export async function readHelper(world: World, helper: Address): Promise<HelperState | undefined> {
  if (!world.chain.isDeployed(helper)) {
    return undefined;
  }
  const data = await world.get(helper, 'get_helper_data');
  data.skip(2);
  return { amount: data.readBigNumber(), claimed: data.readBoolean(), refunded: data.readBoolean() };
}

/** What a vesting vault says of itself; undefined where there is none. */
export async function readVault(world: World, vault: Address): Promise<VaultState | undefined> {
  if (!world.chain.isDeployed(vault)) {
    return undefined;
  }
  const data = await world.get(vault, 'get_vault_data');
  const initialised = data.readBoolean();
  data.skip(2);
  return {
    initialised,
    total: data.readBigNumber(),
    claimed: data.readBigNumber(),
    start: data.readNumber(),
    cliff: data.readNumber(),
    duration: data.readNumber(),
    tgeBps: data.readNumber(),
    released: data.readBoolean(),
    lpWallet: data.readAddressOpt(),
  };
}
