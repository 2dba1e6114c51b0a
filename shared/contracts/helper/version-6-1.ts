import { type ContractVersion, on, onBounced } from '../contract-version.ts';
import { acceptContribution } from '../crowdfunding/accept-contribution.ts';
import { addContribution } from '../crowdfunding/add-contribution.ts';
import { claimLp } from '../crowdfunding/claim-lp.ts';
import { refund } from '../crowdfunding/refund.ts';
import { requestClaimLpTokens } from '../crowdfunding/request-claim-lp-tokens.ts';
import { requestRefund } from '../crowdfunding/request-refund.ts';
import { loadShareStorage } from '../crowdfunding/storages.ts';
import type { HelperEvent } from './event.ts';

/** Helper 6.1: one wallet's part in one campaign. What it has accepted, its answer to the campaign tells. */
export const helper61: ContractVersion<HelperEvent> = {
  kind: 'helper',
  version: '6.1',
  deployed: (data) => {
    const { campaign, owner } = loadShareStorage(data);
    return { type: 'helper_deployed', campaign: campaign.toRawString(), owner: owner.toRawString() };
  },
  receives: [
    on(addContribution),
    on(requestClaimLpTokens, () => ({ type: 'lp_claim_requested' })),
    on(requestRefund, () => ({ type: 'refund_requested' })),
  ],
  bounces: [
    onBounced(claimLp, () => ({ type: 'lp_claim_bounced' })),
    onBounced(refund, () => ({ type: 'refund_bounced' })),
  ],
  sends: [on(acceptContribution, ({ amount }) => ({ type: 'contributed', amount: amount.toString() }))],
};
