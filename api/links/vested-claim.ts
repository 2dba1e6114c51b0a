import { claimVested } from '../../shared/contracts/crowdfunding/claim-vested.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import type { ClaimContext, ClaimLink } from './claim.ts';
import type { LinkVault } from './documents.ts';
import { CLAIM_VESTED_VALUE } from './gas.ts';
import type { Outcome } from './outcome.ts';
import { transferLink } from './transfer.ts';
import { claimableAt, vestingState } from './vesting-state.ts';

/** The message with which an investor takes what is vested by now out of its vault. */
export function vestedClaimLink(
  campaignAddress: string,
  vault: LinkVault | undefined,
  { queryId, now, settings }: ClaimContext,
): Outcome<ClaimLink> {
  if (vault === undefined) return { refused: 'vesting_vault_not_found' };
  if (!vault.isInitialized) return { refused: 'vesting_not_initialized' };
  if (claimableAt(vault, now) <= 0n) return { refused: 'nothing_to_claim' };
  const message = { to: vault.address, value: CLAIM_VESTED_VALUE, body: bodyOf(claimVested, { queryId }) };
  return {
    link: {
      kind: 'vested_claim',
      campaignAddress,
      ...transferLink(message, settings),
      vesting: vestingState(vault, now),
      warnings: [],
    },
  };
}
