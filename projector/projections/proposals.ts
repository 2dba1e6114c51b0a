import { cellOf } from '../../shared/contracts/contract-version.ts';
import { describeProposal } from '../../shared/contracts/proposal-payload/proposal-payload.ts';
import { isoTime } from '../../shared/iso-time.ts';
import type { ProposalState } from '../accounts/proposal.ts';
import type { Projection } from '../projection.ts';
import { timeAscending, uint64Descending } from '../sort-key.ts';

type ProposalPart = Omit<ProposalState, 'announced'> & NonNullable<ProposalState['announced']>;

/**
 * Endpoint 3: the proposals of a DAO, newest first. `status` is what the chain alone tells; those
 * that the clock may yet reject are in a list of their own, by the time at which it does.
 */
export const proposals: Projection = {
  name: 'proposals',
  version: 1,
  render: (key, parts) => {
    const [dao, address] = key.split('/') as [string, string];
    const part = parts.get(address) as ProposalPart | undefined;
    if (!part) return null;
    const expires = part.started_at + part.duration;
    const action = describeProposal(cellOf(part.payload));
    const status = statusOf(part, action.type);
    const entries = [{ list: `proposals/${dao}`, sortKey: uint64Descending(part.proposal_id) }];
    if (status === 'active' || status === 'unknown')
      entries.push({ list: `undecided/${dao}`, sortKey: `${timeAscending(expires)}/${address}` });
    return {
      body: {
        proposal_id: Number(part.proposal_id),
        name: part.name,
        description: part.description,
        address,
        dao_address: dao,
        jetton_master_address: part.jetton_minter,
        initiated_by_address: part.initiator,
        success_amount: successAmount(part),
        current_amount: part.current_amount,
        total_supply: part.total_supply ?? '0',
        success_percentage: part.basis_points / 100,
        date_start: isoTime(part.started_at),
        date_expire: isoTime(expires),
        type: action.type,
        data: action.data,
        status,
        raw_data: part.payload,
      },
      entries,
    };
  },
};

function statusOf(part: ProposalPart, type: string): 'executed' | 'mine' | 'unknown' | 'active' {
  if (part.accepted) return 'executed';
  if (part.total_supply === null) return 'mine';
  return type === 'unknown' ? 'unknown' : 'active';
}

/** The share of the supply that accepts it, rounded up; 0 before the snapshot is known. */
function successAmount({ total_supply, basis_points }: ProposalPart): string {
  return ((BigInt(total_supply ?? 0) * BigInt(basis_points) + 9999n) / 10000n).toString();
}
