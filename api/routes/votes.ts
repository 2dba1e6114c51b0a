import { daoEndpoint } from '../dao-endpoint.ts';
import { answerList } from '../dao-list.ts';
import { address } from '../openapi/examples.ts';
import { limit, offset, pathAddress } from '../openapi/parameters.ts';

/** Endpoint 4. */
export const votes = daoEndpoint(
  {
    path: '/api/v1/daos/{dao_address}/proposals/{proposal_address}/votes',
    operation: {
      operationId: 'listVotes',
      tags: ['DAO'],
      summary: 'Votes on a proposal',
      description: 'Order: time descending; of one second, the higher logical time first.',
      parameters: [
        pathAddress('dao_address', 'The DAO.'),
        pathAddress('proposal_address', 'A proposal of the DAO.'),
        limit(),
        offset(),
      ],
      response: 'VoteList',
      example: {
        total: 1,
        items: [
          {
            proposal_address: address('3'),
            voter_address: address('2'),
            amount: '250000000000',
            date_create: '2026-11-21T10:00:00Z',
          },
        ],
      },
      errors: ['invalid_dao_address', 'invalid_proposal_address', 'invalid_limit', 'invalid_offset'],
    },
  },
  (dao, request, query) =>
    answerList(dao, request, query, { list: `votes/${dao.dao}/${request.path['proposal_address']}` }),
);
