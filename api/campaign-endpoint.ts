import { hash } from 'node:crypto';
import type { ReadView } from '../shared/read-store/read-store.ts';
import type { Answer } from './answer.ts';
import { readText, textSpan } from './body-bytes.ts';
import { readDaoState } from './dao-state.ts';
import type { Endpoint } from './endpoint.ts';
import { ApiError } from './errors.ts';
import { type LinkCampaign, parseCampaign } from './links/documents.ts';
import type { Outcome } from './links/outcome.ts';
import type { Query } from './parameters.ts';
import type { ApiRequest } from './request.ts';

const DAO = Buffer.from('"daoAddress":"');

/** An endpoint under `/crowdfunding/campaigns/{address}`: what it needs is read from one view, then the link is made. */
interface LinkEndpoint<Facts> extends Pick<Endpoint, 'path' | 'operation'> {
  /** Further documents. */
  read: (view: ReadView, campaign: LinkCampaign, query: Query) => Promise<Facts>;
  /** Apart from the view, which is not held while the chain is asked. */
  build: (
    campaign: LinkCampaign,
    facts: Facts,
    request: ApiRequest,
    query: Query,
  ) => Promise<Outcome<object>> | Outcome<object>;
}

/** The token must be for the DAO that owns the campaign; the campaign is served where its DAO is. */
export function campaignEndpoint<Facts>({ read, build, ...endpoint }: LinkEndpoint<Facts>): Endpoint {
  return {
    ...endpoint,
    scope: 'crowdfunding:links',
    async answer(request) {
      const { campaign, query, facts, headers } = await request.view(async (view) => {
        const found = await findCampaign(view, request);
        const parameters = request.query();
        return { ...found, query: parameters, facts: await read(view, found.campaign, parameters) };
      });
      const outcome = await build(campaign, facts, request, query);
      if ('refused' in outcome) throw new ApiError(outcome.refused, headers, outcome.cause);
      return answerLink(outcome.link, headers, request);
    },
  };
}

async function findCampaign(view: ReadView, { path, claims }: ApiRequest) {
  const address = path['address'] ?? '';
  const [shown, terms] = await Promise.all([
    view.get('campaigns', address),
    view.get('campaign_terms', address),
  ]);
  if (shown === undefined || terms === undefined) throw new ApiError('campaign_not_found');
  const dao = readText(shown.body, textSpan(shown.body, DAO));
  const { served, headers } = await readDaoState(view, dao);
  // How far a DAO is, only a token for it is told.
  if (!served) throw new ApiError('campaign_not_found', dao === claims.dao ? headers : []);
  if (dao !== claims.dao) throw new ApiError('forbidden_dao');
  return { campaign: parseCampaign(shown.body, terms.body), headers };
}

/** A link is small, and depends on the clock in many ways: its own digest is the ETag. */
function answerLink(link: object, headers: readonly string[], request: ApiRequest): Answer {
  const body = Buffer.from(JSON.stringify(link));
  const etag = `"${hash('sha256', body, 'base64url')}"`;
  return { etag, headers, body: request.matches(etag) ? null : body };
}
