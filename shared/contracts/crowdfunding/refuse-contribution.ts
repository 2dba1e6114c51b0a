import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Helper to campaign: the contribution goes back to its owner. */
export interface RefuseContribution {
  queryId: bigint;
  amount: bigint;
  owner: Address;
}

export const refuseContribution = messageSchema<RefuseContribution>(
  'refuse_contribution query_id:uint64 amount:Coins owner:MsgAddress = InternalMsgBody',
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
