import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Owner to GP wallet: vote for a proposal with the whole balance, locked until the proposal ends. */
export interface Vote {
  queryId: bigint;
  proposal: Address;
  /** Unix seconds; must equal the proposal's own. */
  expiresAt: number;
}

export const vote = messageSchema<Vote>(
  'vote query_id:uint64 proposal:MsgAddress expires_at:uint32 = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      proposal: slice.loadAddress(),
      expiresAt: slice.loadUint(32),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeAddress(message.proposal).storeUint(message.expiresAt, 32);
    },
  },
);
