import { type Address, beginCell, Dictionary, type TupleItem, toNano } from '@ton/core';
import {
  type CampaignParams,
  loadCampaignParams,
} from '../../../shared/contracts/crowdfunding/campaign-params.ts';
import { changeWhitelist } from '../../../shared/contracts/crowdfunding/change-whitelist.ts';
import { claimDaoFee } from '../../../shared/contracts/crowdfunding/claim-dao-fee.ts';
import { claimVested } from '../../../shared/contracts/crowdfunding/claim-vested.ts';
import { contribute } from '../../../shared/contracts/crowdfunding/contribute.ts';
import { emergencyWithdraw } from '../../../shared/contracts/crowdfunding/emergency-withdraw.ts';
import { finalise } from '../../../shared/contracts/crowdfunding/finalise.ts';
import { releaseVault } from '../../../shared/contracts/crowdfunding/release-vault.ts';
import { requestClaimLpTokens } from '../../../shared/contracts/crowdfunding/request-claim-lp-tokens.ts';
import { requestRefund } from '../../../shared/contracts/crowdfunding/request-refund.ts';
import { setPaused } from '../../../shared/contracts/crowdfunding/set-paused.ts';
import { bodyOf, type MessageSchema } from '../../../shared/contracts/message-schema.ts';
import type { Actor } from './actor.ts';
import { helperAddress, vaultAddress } from './crowdfunding-deployments.ts';
import { Jetton } from './jetton.ts';
import type { World } from './world.ts';

/** What links attach; measured, with the margin, in the contracts' `campaign-money.tolk`. */
export const reserves = {
  contribute: toNano('0.06'),
  jettonForward: toNano('0.1'),
  jettonTransfer: toNano('0.05'),
  claim: toNano('0.06'),
  claimIntoVault: toNano('0.12'),
  claimVested: toNano('0.05'),
  refund: toNano('0.05'),
} as const;

// Of what the operator or anyone else sends; the rest comes back.
const VALUE = toNano('0.2');
// So many dictionary changes fit into the gas of one message, also where the list is long.
const WHITELIST_BATCH = 100;

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

/** A campaign as those who take part in it use it: every method sends with the next block. */
export class Campaign {
  readonly world: World;
  readonly address: Address;
  readonly currency: Jetton | null;
  readonly operator: Actor;
  #queryId = 0n;

  constructor(world: World, address: Address, operator: Actor, currency: Jetton | null) {
    this.world = world;
    this.address = address;
    this.operator = operator;
    this.currency = currency;
  }

  /** A campaign as it stands on the chain now. */
  static async resume(world: World, address: Address, operator: Actor): Promise<Campaign> {
    const { params } = await new Campaign(world, address, operator, null).state();
    return new Campaign(world, address, operator, params.currency && new Jetton(world, params.currency));
  }

  helperOf(owner: Address): Address {
    return helperAddress(this.address, owner);
  }

  vaultOf(owner: Address): Address {
    return vaultAddress(this.address, owner);
  }

  contribute(from: Actor, amount: bigint): void {
    if (this.currency) {
      this.currency.transfer(from, this.address, amount, {
        forwardTonAmount: reserves.jettonForward,
        gas: reserves.jettonTransfer,
      });
    } else {
      this.#send(from, contribute, { amount }, amount + reserves.contribute);
    }
  }

  pause(paused = true): void {
    this.#send(this.operator, setPaused, { paused });
  }

  /** Adds (or removes) them in messages that are short enough. */
  async list(addresses: Address[], listed = true): Promise<void> {
    for (let from = 0; from < addresses.length; from += WHITELIST_BATCH) {
      const changes = addresses
        .slice(from, from + WHITELIST_BATCH)
        .map((address): [Address, boolean] => [address, listed]);
      this.#send(this.operator, changeWhitelist, { changes }, toNano('1'));
      await this.world.settle();
    }
  }

  finalise(from: Actor): void {
    this.#send(from, finalise, {});
  }

  withdrawAll(): void {
    this.#send(this.operator, emergencyWithdraw, {});
  }

  claimFee(from: Actor): void {
    this.#send(from, claimDaoFee, {});
  }

  claim(from: Actor, value: bigint = reserves.claimIntoVault): void {
    this.#send(from, requestClaimLpTokens, {}, value, this.helperOf(from.address));
  }

  refund(from: Actor, value: bigint = reserves.refund): void {
    this.#send(from, requestRefund, {}, value, this.helperOf(from.address));
  }

  claimVested(from: Actor, value: bigint = reserves.claimVested): void {
    this.#send(from, claimVested, {}, value, this.vaultOf(from.address));
  }

  release(owner: Address): void {
    this.#send(this.operator, releaseVault, { owner });
  }

  async state(): Promise<CampaignState> {
    const data = await this.world.get(this.address, 'get_campaign_data');
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

  async isListed(address: Address): Promise<boolean> {
    return (await this.world.get(this.address, 'is_whitelisted', [addressItem(address)])).readBoolean();
  }

  /** The helper's own account; undefined where the wallet has never contributed. */
  async share(owner: Address): Promise<{ amount: bigint; claimed: boolean; refunded: boolean } | undefined> {
    const helper = this.helperOf(owner);
    if (!this.world.chain.isDeployed(helper)) {
      return undefined;
    }
    const data = await this.world.get(helper, 'get_helper_data');
    data.skip(2);
    return { amount: data.readBigNumber(), claimed: data.readBoolean(), refunded: data.readBoolean() };
  }

  /** The vault's own account; undefined where there is none. */
  async vault(owner: Address): Promise<VaultState | undefined> {
    const vault = this.vaultOf(owner);
    if (!this.world.chain.isDeployed(vault)) {
      return undefined;
    }
    const data = await this.world.get(vault, 'get_vault_data');
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

  #send<T extends { queryId: bigint }>(
    from: Actor,
    schema: MessageSchema<T>,
    message: Omit<T, 'queryId'>,
    value = VALUE,
    to = this.address,
  ): void {
    const body = bodyOf(schema, { queryId: ++this.#queryId, ...message } as T);
    this.world.send(from, { to, value, body });
  }
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

function addressItem(address: Address): TupleItem {
  return { type: 'slice', cell: beginCell().storeAddress(address).endCell() };
}
