import { messageSchema } from '../message-schema.ts';

/** Proposal to GP minter: what do votes have to be measured against? */
export interface ProvideVotingData {
  queryId: bigint;
}

export const provideVotingData = messageSchema<ProvideVotingData>(
  'provide_voting_data query_id:uint64 = InternalMsgBody',
  {
    load: (slice) => ({ queryId: slice.loadUintBig(64) }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64);
    },
  },
);
