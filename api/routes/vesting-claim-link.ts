import { campaignEndpoint } from '../campaign-endpoint.ts';
import { parseVault } from '../links/documents.ts';
import { vestedClaimLink } from '../links/vested-claim.ts';
import * as examples from '../openapi/examples.ts';
import { pathAddress, queryAddress, queryId } from '../openapi/parameters.ts';

/** Endpoint 10. */
export const vestingClaimLinkEndpoint = campaignEndpoint({
  path: '/api/v1/crowdfunding/campaigns/{address}/vesting-claim-link',
  operation: {
    operationId: 'getVestingClaimLink',
    tags: ['Crowdfunding links'],
    summary: 'A link that claims the vested LP',
    description:
      "A ready-to-sign transfer of `claim_vested` to the investor's vesting vault, which pays out what is vested and was not claimed. `vesting` shows the vault as it is now. `warnings` is always empty.",
    parameters: [
      pathAddress('address', 'The campaign (crowdfunding master).'),
      queryAddress('owner_address', 'The investor wallet that claims and will sign.', true),
      queryId,
    ],
    response: 'ClaimLink',
    example: examples.vestingClaimLink,
    errors: [
      'invalid_campaign_address',
      'missing_owner_address',
      'invalid_owner_address',
      'invalid_query_id',
      'campaign_not_found',
      'vesting_vault_not_found',
      'vesting_not_initialized',
      'nothing_to_claim',
    ],
  },
  async read(view, { address }, query) {
    const vault = await view.get('vaults', `${address}/${query['owner_address']}`);
    return vault && parseVault(vault.body);
  },
  build: ({ address }, vault, { now, services }, query) =>
    vestedClaimLink(address, vault, { queryId: query['query_id'] as bigint, now, settings: services.links }),
});
