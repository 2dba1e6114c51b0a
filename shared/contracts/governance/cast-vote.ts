import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** GP wallet to proposal: a vote and its weight. */
export interface CastVote {
  queryId: bigint;
  voter: Address;
  weight: bigint;
  /** Unix seconds. */
  expiresAt: number;
}

export const castVote = messageSchema<CastVote>(
  'cast_vote query_id:uint64 voter:MsgAddress weight:Coins expires_at:uint32 = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      voter: slice.loadAddress(),
      weight: slice.loadCoins(),
      expiresAt: slice.loadUint(32),
    }),
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeAddress(message.voter)
        .storeCoins(message.weight)
        .storeUint(message.expiresAt, 32);
    },
  },
);
