import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Helper to campaign: its owner gets back what was contributed. */
export interface Refund {
  queryId: bigint;
  amount: bigint;
  owner: Address;
}

export const refund = messageSchema<Refund>(
  'refund query_id:uint64 amount:Coins owner:MsgAddress = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      amount: slice.loadCoins(),
      owner: slice.loadAddress(),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeCoins(message.amount).storeAddress(message.owner);
    },
  },
);
