import { daoEndpoint } from '../dao-endpoint.ts';
import { answerJoinedList } from '../joined-list.ts';
import { joinHolders } from '../lp-master-body.ts';
import { address } from '../openapi/examples.ts';
import { limit, offset, pathAddress } from '../openapi/parameters.ts';

/** Endpoint 6: two levels of pages, each exact. */
export const lpMasters = daoEndpoint(
  {
    path: '/api/v1/daos/{dao_address}/lp-masters-with-lp-holders',
    operation: {
      operationId: 'listLpMastersWithLpHolders',
      tags: ['DAO'],
      summary: 'LP jetton masters of the DAO, each with its holders',
      description:
        'Order: masters by creation ascending, holders by balance descending, then owner address. `total` counts the masters, `holdersTotal` the holders of one. Vesting vaults are holders too.',
      parameters: [
        pathAddress('dao_address', 'The DAO.'),
        limit('masters_limit', 'masters'),
        offset('masters_offset', 'masters'),
        limit('holders_limit', 'holders of each master'),
        offset('holders_offset', 'holders of each master'),
      ],
      response: 'DaoLpMasterWithLpHoldersList',
      example: {
        total: 1,
        items: [
          {
            lpJettonMasterAddress: address('e'),
            campaignAddresses: [address('5')],
            holdersTotal: 1,
            holders: [
              { lpJettonWalletAddress: address('6'), ownerAddress: address('2'), balance: '40000000000' },
            ],
          },
        ],
      },
      errors: [
        'invalid_dao_address',
        'invalid_masters_limit',
        'invalid_masters_offset',
        'invalid_holders_limit',
        'invalid_holders_offset',
      ],
    },
  },
  (read, request, query) => {
    const holders = {
      dao: read.dao,
      offset: Number(query['holders_offset']),
      limit: Number(query['holders_limit']),
    };
    return answerJoinedList(read, request, {
      list: `lp_masters/${read.dao}`,
      offset: Number(query['masters_offset']),
      limit: Number(query['masters_limit']),
      dependsOn: [holders.offset, holders.limit],
      join: (view, item) => joinHolders(view, item, holders),
    });
  },
);
