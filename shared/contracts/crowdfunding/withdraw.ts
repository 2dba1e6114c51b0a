import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** DAO to a subaccount or fee manager: nanoton to somewhere. */
export interface Withdraw {
  queryId: bigint;
  to: Address;
  amount: bigint;
}

export const withdraw = messageSchema<Withdraw>(
  'withdraw query_id:uint64 to:MsgAddress amount:Coins = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      to: slice.loadAddress(),
      amount: slice.loadCoins(),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeAddress(message.to).storeCoins(message.amount);
    },
  },
);
