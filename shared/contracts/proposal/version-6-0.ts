import { type ContractVersion, on } from '../contract-version.ts';
import { castVote } from '../governance/cast-vote.ts';
import { executeProposal } from '../governance/execute-proposal.ts';
import { initProposal } from '../governance/init-proposal.ts';
import { retryInit } from '../governance/retry-init.ts';
import { takeVotingData } from '../governance/take-voting-data.ts';
import type { ProposalEvent } from './event.ts';
import { loadProposalStorage } from './storage.ts';

/** Proposal: announced by its DAO, opened by the minter's snapshot, decided by votes. */
export const proposal60: ContractVersion<ProposalEvent> = {
  kind: 'proposal',
  version: '6.0',
  deployed: (data) => {
    const { dao, proposalId } = loadProposalStorage(data);
    return { type: 'proposal_deployed', dao: dao.toRawString(), proposal_id: proposalId.toString() };
  },
  receives: [
    on(initProposal, (message) => ({
      type: 'proposal_announced',
      initiator: message.initiator.toRawString(),
      jetton_minter: message.jettonMinter.toRawString(),
      basis_points: message.successPercentage,
      duration: message.duration,
      name: message.name,
      description: message.description,
      payload: message.payload.toBoc().toString('base64'),
    })),
    on(takeVotingData, ({ totalSupply }) => ({
      type: 'voting_opened',
      total_supply: totalSupply.toString(),
    })),
    on(castVote, ({ voter, weight }) => ({
      type: 'vote_cast',
      voter: voter.toRawString(),
      weight: weight.toString(),
    })),
    on(retryInit),
  ],
  sends: [on(executeProposal, () => ({ type: 'proposal_accepted' }))],
};
