import { daoEndpoint } from '../dao-endpoint.ts';
import { answerList } from '../dao-list.ts';
import { address } from '../openapi/examples.ts';
import { limit, offset, pathAddress } from '../openapi/parameters.ts';

/** Endpoint 2. */
export const holders = daoEndpoint(
  {
    path: '/api/v1/daos/{dao_address}/holders',
    operation: {
      operationId: 'listHolders',
      tags: ['DAO'],
      summary: 'Holders of the GP jetton',
      description: 'Order: balance descending, then owner address.',
      parameters: [pathAddress('dao_address', 'The DAO.'), limit(), offset()],
      response: 'HolderList',
      example: {
        total: 1,
        items: [
          { jetton_wallet_address: address('1'), owner_address: address('2'), balance: '250000000000' },
        ],
      },
      errors: ['invalid_dao_address', 'invalid_limit', 'invalid_offset'],
    },
  },
  (dao, request, query) => answerList(dao, request, query, { list: `holders/${dao.dao}` }),
);
