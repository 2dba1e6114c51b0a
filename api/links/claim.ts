import type { LinkSettings } from './settings.ts';
import type { Transfer } from './transfer.ts';
import type { VestingState } from './vesting-state.ts';

/** The answer of both claim links. Nothing that would hold a claim back is left to warn of. */
export interface ClaimLink extends Transfer {
  kind: 'initial_claim' | 'vested_claim';
  campaignAddress: string;
  vesting?: VestingState;
  warnings: never[];
}

export interface ClaimContext {
  queryId: bigint;
  /** Unix seconds. */
  now: number;
  settings: Pick<LinkSettings, 'network'>;
}
