import type { VestingSchedule } from '../campaign/event.ts';

/** What a transaction of a vesting vault means. Amounts in LP units. */
export type VaultEvent =
  | { type: 'vault_deployed'; campaign: string; owner: string }
  | { type: 'vault_opened'; total: string; schedule: VestingSchedule }
  | { type: 'vault_initialised' }
  | { type: 'vested_claimed'; amount: string }
  | { type: 'vested_claim_bounced'; amount: string }
  | { type: 'vault_released' };
