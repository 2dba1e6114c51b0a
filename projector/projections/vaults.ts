import { isoTime } from '../../shared/iso-time.ts';
import type { JsonObject } from '../account-fold.ts';
import type { VaultState } from '../accounts/vesting-vault.ts';
import type { Projection } from '../projection.ts';

/** A vesting vault's word in the documents that show it. */
export type VaultPart = VaultState & { vault: string };

/** A wallet's vesting vault in a campaign, for the links; its start in unix seconds. */
export const vaults: Projection = {
  name: 'vaults',
  version: 1,
  internal: true,
  render: (_, parts) => {
    const [part] = parts.values() as Iterable<VaultPart>;
    if (!part) return null;
    return { body: { ...vestingOf(part), vestingStart: part.schedule.start }, entries: [] };
  },
};

/** The `vesting` block of a participant's campaign. */
export function vestingBlock(part: VaultPart): JsonObject {
  const { start, cliff, duration } = part.schedule;
  const { isInitialized, isEmergencyReleased, ...rest } = vestingOf(part);
  return {
    ...rest,
    vestingStart: isoTime(start),
    vestingEnd: isoTime(start + cliff + duration),
    isInitialized,
    isEmergencyReleased,
  };
}

function vestingOf({ vault, total, claimed, schedule, initialised, released }: VaultPart) {
  return {
    vaultAddress: vault,
    totalLpAmount: total,
    claimedLpAmount: claimed,
    cliffDuration: schedule.cliff,
    vestingDuration: schedule.duration,
    tgeUnlockBps: schedule.tge_bps,
    isInitialized: initialised,
    isEmergencyReleased: released,
  };
}
