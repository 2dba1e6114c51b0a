/** What a transaction of a proposal means. */
export type ProposalEvent =
  | { type: 'proposal_deployed'; dao: string; proposal_id: string }
  | ProposalAnnounced
  | { type: 'voting_opened'; total_supply: string }
  | { type: 'vote_cast'; voter: string; weight: string }
  | { type: 'proposal_accepted' };

export interface ProposalAnnounced {
  type: 'proposal_announced';
  initiator: string;
  jetton_minter: string;
  basis_points: number;
  /** Seconds. */
  duration: number;
  name: string;
  description: string;
  /** Base64 BOC. */
  payload: string;
}
