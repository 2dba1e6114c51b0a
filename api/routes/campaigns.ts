import { joinCampaign } from '../campaign-body.ts';
import { daoEndpoint } from '../dao-endpoint.ts';
import { answerJoinedList } from '../joined-list.ts';
import * as examples from '../openapi/examples.ts';
import { limit, offset, pathAddress } from '../openapi/parameters.ts';
import { oneOf } from '../openapi/schema.ts';
import { CAMPAIGN_STATUSES } from '../openapi/schemas/crowdfunding.ts';

/** Endpoint 5: what a campaign has in common with others, or too much of, is joined here. */
export const campaigns = daoEndpoint(
  {
    path: '/api/v1/daos/{dao_address}/crowdfundings',
    operation: {
      operationId: 'listCampaigns',
      tags: ['DAO'],
      summary: 'Crowdfunding campaigns of the DAO',
      description:
        'Order: creation (logical time) descending. `userHelper` is present where the token carries an `owner_address` that took part.',
      parameters: [
        pathAddress('dao_address', 'The DAO.'),
        limit(),
        offset(),
        {
          name: 'status',
          in: 'query',
          description: 'Only campaigns in this status; all where absent. Given once.',
          schema: oneOf(CAMPAIGN_STATUSES, 'A status.'),
        },
      ],
      response: 'CrowdfundingCampaignList',
      example: { total: 1, items: [examples.campaign] },
      errors: ['invalid_dao_address', 'invalid_limit', 'invalid_offset', 'invalid_status'],
    },
  },
  (read, request, query) => {
    const { dao, document } = read;
    const { owner } = request.claims;
    const list = query['status'] === undefined ? `campaigns/${dao}` : `campaigns/${dao}/${query['status']}`;
    return answerJoinedList(read, request, {
      list,
      offset: Number(query['offset']),
      limit: Number(query['limit']),
      // The status too: lists of the same commit have the same version.
      dependsOn: [document?.version ?? '', String(query['status'] ?? ''), owner ?? ''],
      join: (view, item) => {
        if (document === undefined) throw new TypeError('a DAO that is not served has no campaigns');
        return joinCampaign(view, item, { dao: document, owner });
      },
    });
  },
);
