import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Helper to campaign: LP jettons for what its owner contributed. */
export interface ClaimLp {
  queryId: bigint;
  amount: bigint;
  owner: Address;
}

export const claimLp = messageSchema<ClaimLp>(
  'claim_lp query_id:uint64 amount:Coins owner:MsgAddress = InternalMsgBody',
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
