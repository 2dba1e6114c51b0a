import type { ReadView } from '../../shared/read-store/read-store.ts';
import { campaignEndpoint } from '../campaign-endpoint.ts';
import { ApiError } from '../errors.ts';
import {
  type ContributionFacts,
  contributionLink,
  HIGHEST_AMOUNT,
  type JettonRoute,
  refuseContribution,
} from '../links/contribution.ts';
import { type LinkCampaign, parseHelper } from '../links/documents.ts';
import * as examples from '../openapi/examples.ts';
import { pathAddress, queryAddress, queryId } from '../openapi/parameters.ts';
import type { Query } from '../parameters.ts';
import type { ApiRequest } from '../request.ts';

/** Endpoint 8. */
export const contributionLinkEndpoint = campaignEndpoint({
  path: '/api/v1/crowdfunding/campaigns/{address}/contribution-link',
  operation: {
    operationId: 'getContributionLink',
    tags: ['Crowdfunding links'],
    summary: 'A link that contributes to a campaign',
    description:
      "A ready-to-sign transfer: of a native campaign to the campaign itself, of a jetton campaign to the investor's jetton wallet. `invalid_amount`: not a positive integer, outside [minAmountPerUser, maxAmountPerUser], or (jetton campaigns, checked last) more than the investor may still contribute in all. With empty `warnings` the contract accepts it from an eligible wallet with the funds.",
    parameters: [
      pathAddress('address', 'The campaign (crowdfunding master).'),
      {
        name: 'amount',
        in: 'query',
        required: true,
        description:
          'Contribution in smallest units: nanoton for a native campaign, jetton units for a jetton campaign. At most 2^120 - 1, the reserve of a native contribution included.',
        schema: { type: 'string', pattern: '^[0-9]+$' },
      },
      queryAddress(
        'investor_address',
        'The wallet that will sign. Required for jetton campaigns, whose whitelist it is checked against; ignored for native ones, though refused where it cannot be parsed.',
      ),
      queryId,
      queryAddress(
        'response_address',
        'Where a jetton transfer sends the coins that are left; `investor_address` where absent. Ignored for native campaigns, though refused where it cannot be parsed.',
      ),
    ],
    response: 'ContributionLink',
    example: examples.contributionLink,
    errors: [
      'invalid_campaign_address',
      'invalid_amount',
      'invalid_investor_address',
      'invalid_query_id',
      'invalid_response_address',
      'missing_investor_address',
      'not_whitelisted',
      'campaign_not_found',
      'campaign_not_active',
      'campaign_paused',
      'jetton_wallet_unavailable',
    ],
  },
  async read(view, campaign, query) {
    const amount = positive(query['amount']);
    const investor = query['investor_address'] as string | undefined;
    if (campaign.currency === null) return { amount, investor, known: undefined };
    if (investor === undefined) throw new ApiError('missing_investor_address');
    return { amount, investor, known: await readInvestor(view, campaign, investor) };
  },
  async build(campaign, { amount, investor, known }, request, query) {
    const refused = refuseContribution({ campaign, investor: known }, amount);
    if (refused !== undefined) return { refused };
    const jetton = await jettonRoute(campaign, investor, request, query);
    if (jetton && 'cause' in jetton) return { refused: 'jetton_wallet_unavailable', cause: jetton.cause };
    const parameters = { amount, queryId: query['query_id'] as bigint };
    const { now, services } = request;
    return { link: contributionLink(campaign, parameters, jetton, { now, settings: services.links }) };
  },
});

/** Its digits are checked by then; one that the chain cannot hold is no amount either. */
function positive(amount: Query[string]): bigint {
  const value = BigInt(amount ?? 0);
  if (value === 0n || value > HIGHEST_AMOUNT) throw new ApiError('invalid_amount');
  return value;
}

async function readInvestor(
  view: ReadView,
  { address, hasWhitelist }: LinkCampaign,
  investor: string,
): Promise<NonNullable<ContributionFacts['investor']>> {
  const key = `${address}/${investor}`;
  const [entry, helper] = await Promise.all([
    hasWhitelist ? view.get('whitelist', key) : undefined,
    view.get('helpers', key),
  ]);
  return { isListed: entry !== undefined, contributed: helper ? parseHelper(helper.body).amount : 0n };
}

/** Asked for last, as it may take the chain's time. Undefined for a native campaign. */
async function jettonRoute(
  { currency }: LinkCampaign,
  investor: string | undefined,
  { services }: ApiRequest,
  query: Query,
): Promise<JettonRoute | { cause: unknown } | undefined> {
  if (currency === null || investor === undefined) return undefined;
  const response = (query['response_address'] as string | undefined) ?? investor;
  try {
    return { wallet: await services.links.resolveJettonWallet(currency, investor), response };
  } catch (cause) {
    return { cause };
  }
}
