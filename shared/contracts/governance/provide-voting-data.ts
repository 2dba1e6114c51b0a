import { messageSchema } from '../message-schema.ts';
import { type Query, query } from '../query.ts';

/** Proposal to GP minter: what do votes have to be measured against? */
export const provideVotingData = messageSchema<Query>(
  'provide_voting_data query_id:uint64 = InternalMsgBody',
  query,
);
