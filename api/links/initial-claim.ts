import { requestClaimLpTokens } from '../../shared/contracts/crowdfunding/request-claim-lp-tokens.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import type { ClaimContext, ClaimLink } from './claim.ts';
import type { LinkCampaign, LinkHelper } from './documents.ts';
import { CLAIM_INTO_VAULT_VALUE, CLAIM_VALUE } from './gas.ts';
import type { Outcome } from './outcome.ts';
import { transferLink } from './transfer.ts';
import { vestingState } from './vesting-state.ts';

/** Smallest units of one whole LP jetton, which the price is for. */
const LP_UNIT = 1_000_000_000n;

/** The message with which an investor asks its helper for the LP of a successful campaign. */
export function initialClaimLink(
  campaign: LinkCampaign,
  helper: LinkHelper | undefined,
  { queryId, now, settings }: ClaimContext,
): Outcome<ClaimLink> {
  if (helper === undefined) return { refused: 'helper_not_found' };
  if (campaign.status !== 'successful') return { refused: 'campaign_not_successful' };
  if (helper.isClaimed) return { refused: 'already_claimed' };
  if (helper.isRefunded) return { refused: 'already_refunded' };
  const lp = lpFor(helper.amount, campaign);
  if (lp === 0n) return { refused: 'nothing_to_claim' };
  const { address: campaignAddress, vesting: schedule } = campaign;
  const message = {
    to: helper.address,
    value: schedule ? CLAIM_INTO_VAULT_VALUE : CLAIM_VALUE,
    body: bodyOf(requestClaimLpTokens, { queryId }),
  };
  // What the vault will hold, which this claim deploys.
  const vault = schedule && { claimed: 0n, schedule: { ...schedule, total: lp, released: false } };
  return {
    link: {
      kind: 'initial_claim',
      campaignAddress,
      ...transferLink(message, settings),
      ...(vault && { vesting: vestingState(vault, now) }),
      warnings: [],
    },
  };
}

/** LP for a contribution, rounded down as the campaign does. */
export function lpFor(amount: bigint, { lpPrice }: Pick<LinkCampaign, 'lpPrice'>): bigint {
  return (amount * LP_UNIT) / lpPrice;
}
