import { isoTime } from '../../shared/iso-time.ts';
import { type VestingPhase, vestedAmount, vestingEnd, vestingPhase } from '../../shared/vesting.ts';
import type { LinkVault } from './documents.ts';

/** The `vesting` of a claim link. LP units. */
export interface VestingState {
  phase: VestingPhase;
  claimableAmount: string;
  vestedAmount: string;
  totalLpAmount: string;
  claimedLpAmount: string;
  vestingEnd: string;
}

type Locked = Pick<LinkVault, 'claimed' | 'schedule'>;

/** What could be claimed at `now`, unix seconds. */
export function claimableAt({ claimed, schedule }: Locked, now: number): bigint {
  return vestedAmount(schedule, now) - claimed;
}

export function vestingState(locked: Locked, now: number): VestingState {
  const { claimed, schedule } = locked;
  return {
    phase: vestingPhase(schedule, now),
    claimableAmount: claimableAt(locked, now).toString(),
    vestedAmount: vestedAmount(schedule, now).toString(),
    totalLpAmount: schedule.total.toString(),
    claimedLpAmount: claimed.toString(),
    vestingEnd: isoTime(vestingEnd(schedule)),
  };
}
