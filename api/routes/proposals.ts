import { type DaoRead, daoEndpoint } from '../dao-endpoint.ts';
import { answerList } from '../dao-list.ts';
import * as examples from '../openapi/examples.ts';
import { limit, offset, pathAddress } from '../openapi/parameters.ts';
import { proposalAddress, renderProposal } from '../proposal-body.ts';
import type { ApiRequest } from '../request.ts';

/** Endpoint 3: what the chain alone does not tell (the clock, the DAO, the wallet of the token) is added here. */
export const proposals = daoEndpoint(
  {
    path: '/api/v1/daos/{dao_address}/proposals',
    operation: {
      operationId: 'listProposals',
      tags: ['DAO'],
      summary: 'Proposals of the DAO',
      description:
        'Order: `proposal_id` descending. `is_user_voted` is present where the token carries an `owner_address`.',
      parameters: [pathAddress('dao_address', 'The DAO.'), limit(), offset()],
      response: 'ProposalList',
      example: {
        total: 1,
        items: [
          {
            proposal_id: 7,
            name: 'Pay the auditors',
            description: 'Second instalment.',
            address: examples.address('3'),
            dao_address: examples.dao.address,
            jetton_master_address: examples.dao.jetton_address,
            initiated_by_address: examples.address('2'),
            success_amount: '510000000000000',
            current_amount: '250000000000',
            total_supply: '1000000000000000',
            success_percentage: 51,
            date_start: '2026-11-21T10:00:00Z',
            date_expire: '2026-11-28T10:00:00Z',
            type: 'transfer_ton',
            data: { to: examples.address('4'), amount: '5000000000', comment: 'audit' },
            status: 'active',
            raw_data: 'te6cckEBAQEAAgAAAEysuc0=',
            is_user_voted: true,
            dao: examples.dao,
          },
        ],
      },
      errors: ['invalid_dao_address', 'invalid_limit', 'invalid_offset'],
    },
  },
  async (read, request, query) => {
    const list = `proposals/${read.dao}`;
    const { document } = read;
    if (document === undefined) return answerList(read, request, query, { list });
    const { owner } = request.claims;
    return answerList(read, request, query, {
      list,
      dependsOn: [document.version, await countExpired(read, request.now), owner ?? ''],
      render: (items) => Promise.all(items.map((item) => render(item, document.body, read, request))),
    });
  },
);

/** How many of the proposals that the chain left open the clock has rejected by now. */
function countExpired({ view, dao }: DaoRead, now: number): Promise<number> {
  return view.rank(`undecided/${dao}`, String(now + 1).padStart(12, '0'));
}

async function render(
  item: Buffer,
  dao: Buffer,
  { view, dao: address }: DaoRead,
  { now, claims: { owner } }: ApiRequest,
): Promise<Buffer> {
  if (owner === undefined) return renderProposal(item, { dao, now });
  const vote = await view.get('votes', `${address}/${proposalAddress(item)}/${owner}`);
  return renderProposal(item, { dao, now, isUserVoted: vote !== undefined });
}
