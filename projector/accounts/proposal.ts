import type { ProposalAnnounced, ProposalEvent } from '../../shared/contracts/proposal/event.ts';
import {
  type AccountFold,
  changed,
  type FoldContext,
  type Folded,
  type PartChange,
} from '../account-fold.ts';

export type ProposalState = {
  proposal_id: string;
  announced: Announced | null;
  /** Snapshot at the opening of the vote; null before it. */
  total_supply: string | null;
  current_amount: string;
  accepted: boolean;
};

type Announced = Omit<ProposalAnnounced, 'type'> & {
  /** Unix seconds. */
  started_at: number;
};

/** A proposal: what it is about, the weight cast for it, and each vote. */
export const proposalFold: AccountFold<ProposalState, ProposalEvent> = {
  kind: 'proposal',
  version: 1,
  start: () => ({
    state: {
      proposal_id: '0',
      announced: null,
      total_supply: null,
      current_amount: '0',
      accepted: false,
    },
    parts: [],
  }),
  apply: (state, event, context) => {
    const folded = said(changedBy(state, event, context.now), context);
    if (event.type === 'vote_cast') folded.parts.push(votePart(event, context));
    return folded;
  },
};

function changedBy(state: ProposalState, event: ProposalEvent, now: number): ProposalState {
  switch (event.type) {
    case 'proposal_deployed':
      return { ...state, proposal_id: event.proposal_id };
    case 'proposal_announced': {
      const { type: _, ...announced } = event;
      return { ...state, announced: { ...announced, started_at: now } };
    }
    case 'voting_opened':
      return { ...state, total_supply: event.total_supply };
    case 'vote_cast':
      return { ...state, current_amount: changed(state.current_amount, BigInt(event.weight)) };
    case 'proposal_accepted':
      return { ...state, accepted: true };
  }
}

function said(state: ProposalState, { dao, account }: FoldContext): Folded<ProposalState> {
  const { announced, ...rest } = state;
  if (!announced) return { state, parts: [] };
  const part = { ...rest, ...announced };
  return { state, parts: [{ projection: 'proposals', key: `${dao}/${account}`, part }] };
}

function votePart(
  { voter, weight }: Extract<ProposalEvent, { type: 'vote_cast' }>,
  { dao, account, now, lt }: FoldContext,
): PartChange {
  return {
    projection: 'votes',
    key: `${dao}/${account}/${voter}`,
    part: { voter, amount: weight, created_at: now, lt },
  };
}
