import { campaignEndpoint } from '../campaign-endpoint.ts';
import { parseHelper } from '../links/documents.ts';
import { initialClaimLink } from '../links/initial-claim.ts';
import * as examples from '../openapi/examples.ts';
import { pathAddress, queryAddress, queryId } from '../openapi/parameters.ts';

/** Endpoint 9. */
export const claimLinkEndpoint = campaignEndpoint({
  path: '/api/v1/crowdfunding/campaigns/{address}/claim-link',
  operation: {
    operationId: 'getClaimLink',
    tags: ['Crowdfunding links'],
    summary: 'A link that claims the LP of a successful campaign',
    description:
      "A ready-to-sign transfer of `request_claim_lp_tokens` to the investor's helper. Where the campaign has vesting the LP goes to the investor's vesting vault, and `vesting` shows what that will hold. `warnings` is always empty.",
    parameters: [
      pathAddress('address', 'The campaign (crowdfunding master).'),
      queryAddress('owner_address', 'The investor wallet that claims and will sign.', true),
      queryId,
    ],
    response: 'ClaimLink',
    example: examples.claimLink,
    errors: [
      'invalid_campaign_address',
      'missing_owner_address',
      'invalid_owner_address',
      'invalid_query_id',
      'campaign_not_found',
      'helper_not_found',
      'campaign_not_successful',
      'already_claimed',
      'already_refunded',
      'nothing_to_claim',
    ],
  },
  async read(view, { address }, query) {
    const helper = await view.get('helpers', `${address}/${query['owner_address']}`);
    return helper && parseHelper(helper.body);
  },
  build: (campaign, helper, { now, services }, query) =>
    initialClaimLink(campaign, helper, {
      queryId: query['query_id'] as bigint,
      now,
      settings: services.links,
    }),
});
