/** What a vesting vault's arithmetic needs. Unix seconds, seconds, seconds, basis points. */
export interface VestingSchedule {
  total: bigint;
  start: number;
  cliff: number;
  duration: number;
  tgeBps: number;
  /** By an emergency: everything is vested from then on. */
  released: boolean;
}

export type VestingPhase = 'not_started' | 'cliff' | 'vesting' | 'fully_vested' | 'released';

/** Start + cliff + duration: from here on everything is vested. */
export function vestingEnd({ start, cliff, duration }: VestingSchedule): number {
  return start + cliff + duration;
}

/** Where a schedule stands; each phase lasts up to, not including, the beginning of the next. */
export function vestingPhase(schedule: VestingSchedule, now: number): VestingPhase {
  const { start, cliff, released } = schedule;
  if (released) return 'released';
  if (now < start) return 'not_started';
  if (now >= vestingEnd(schedule)) return 'fully_vested';
  return now < start + cliff ? 'cliff' : 'vesting';
}

/**
 * How much of the total is vested, to the last unit as the vault's contract has it: at the start the
 * share of the token generation event, after the cliff the rest in proportion to time; rounded down.
 */
export function vestedAmount(schedule: VestingSchedule, now: number): bigint {
  const { total, start, cliff, duration, tgeBps } = schedule;
  const tge = (total * BigInt(tgeBps)) / 10_000n;
  switch (vestingPhase(schedule, now)) {
    case 'not_started':
      return 0n;
    case 'cliff':
      return tge;
    case 'vesting':
      return tge + ((total - tge) * BigInt(now - start - cliff)) / BigInt(duration);
    default:
      return total;
  }
}
