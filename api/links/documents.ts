import type { VestingSchedule } from '../../shared/vesting.ts';

/** What links need of a campaign's documents; 0 for a maximum that it does not have. Addresses raw. */
export interface LinkCampaign {
  address: string;
  /** Of the code that takes its next message. */
  codeHash: string;
  status: string;
  paused: boolean;
  hasWhitelist: boolean;
  total: bigint;
  maxTotal: bigint;
  minPerUser: bigint;
  maxPerUser: bigint;
  /** The minter of the collection currency; null for the native one. */
  currency: string | null;
  /** Unix seconds. */
  startTime: number;
  endTime: number;
  /** For one whole LP jetton (10^9 units). */
  lpPrice: bigint;
  vesting: VestingTerms | null;
}

type VestingTerms = Omit<VestingSchedule, 'total' | 'released'>;

/** A wallet's part in a campaign. */
export interface LinkHelper {
  address: string;
  amount: bigint;
  isClaimed: boolean;
  isRefunded: boolean;
}

/** A wallet's vesting vault in a campaign. LP units. */
export interface LinkVault {
  address: string;
  claimed: bigint;
  schedule: VestingSchedule;
  isInitialized: boolean;
}

/** Of the documents of the models `campaigns` and `campaign_terms`. */
export function parseCampaign(campaign: Buffer, terms: Buffer): LinkCampaign {
  const shown = JSON.parse(campaign.toString()) as {
    address: string;
    status: string;
    paused: boolean;
    hasWhitelist: boolean;
    totalAmount: string;
    maxTotalAmount?: string;
    minAmountPerUser: string;
    maxAmountPerUser?: string;
  };
  const kept = JSON.parse(terms.toString()) as {
    code_hash: string;
    currency: string | null;
    start_time: number;
    end_time: number;
    lp_price: string;
    vesting: { start: number; cliff: number; duration: number; tge_bps: number } | null;
  };
  const { address, status, paused, hasWhitelist } = shown;
  return {
    address,
    codeHash: kept.code_hash,
    status,
    paused,
    hasWhitelist,
    total: BigInt(shown.totalAmount),
    maxTotal: BigInt(shown.maxTotalAmount ?? 0),
    minPerUser: BigInt(shown.minAmountPerUser),
    maxPerUser: BigInt(shown.maxAmountPerUser ?? 0),
    currency: kept.currency,
    startTime: kept.start_time,
    endTime: kept.end_time,
    lpPrice: BigInt(kept.lp_price),
    vesting: kept.vesting && {
      start: kept.vesting.start,
      cliff: kept.vesting.cliff,
      duration: kept.vesting.duration,
      tgeBps: kept.vesting.tge_bps,
    },
  };
}

/** Of a document of the model `helpers`. */
export function parseHelper(helper: Buffer): LinkHelper {
  const { address, amount, isClaimed, isRefunded } = JSON.parse(helper.toString()) as {
    address: string;
    amount: string;
    isClaimed: boolean;
    isRefunded: boolean;
  };
  return { address, amount: BigInt(amount), isClaimed, isRefunded };
}

/** Of a document of the model `vaults`. */
export function parseVault(vault: Buffer): LinkVault {
  const kept = JSON.parse(vault.toString()) as {
    vaultAddress: string;
    totalLpAmount: string;
    claimedLpAmount: string;
    vestingStart: number;
    cliffDuration: number;
    vestingDuration: number;
    tgeUnlockBps: number;
    isInitialized: boolean;
    isEmergencyReleased: boolean;
  };
  return {
    address: kept.vaultAddress,
    claimed: BigInt(kept.claimedLpAmount),
    schedule: {
      total: BigInt(kept.totalLpAmount),
      start: kept.vestingStart,
      cliff: kept.cliffDuration,
      duration: kept.vestingDuration,
      tgeBps: kept.tgeUnlockBps,
      released: kept.isEmergencyReleased,
    },
    isInitialized: kept.isInitialized,
  };
}
