import { isoTime } from '../../shared/iso-time.ts';
import type { Projection } from '../projection.ts';
import { uint64Descending } from '../sort-key.ts';

type VotePart = { voter: string; amount: string; created_at: number; lt: string };

/** Endpoint 4: the votes cast on a proposal, latest first. */
export const votes: Projection = {
  name: 'votes',
  version: 1,
  render: (key, parts) => {
    const [dao, proposal] = key.split('/') as [string, string];
    const part = parts.get(proposal) as VotePart | undefined;
    if (!part) return null;
    const latestFirst = `${uint64Descending(String(part.created_at))}/${uint64Descending(part.lt)}`;
    return {
      body: {
        proposal_address: proposal,
        voter_address: part.voter,
        amount: part.amount,
        date_create: isoTime(part.created_at),
      },
      entries: [{ list: `votes/${dao}/${proposal}`, sortKey: `${latestFirst}/${part.voter}` }],
    };
  },
};
