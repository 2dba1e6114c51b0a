import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Admin to minter: new jettons for an owner. */
export interface Mint {
  queryId: bigint;
  to: Address;
  amount: bigint;
  forwardTonAmount: bigint;
}

export const mint = messageSchema<Mint>(
  'mint query_id:uint64 to:MsgAddress amount:Coins forward_ton_amount:Coins = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      to: slice.loadAddress(),
      amount: slice.loadCoins(),
      forwardTonAmount: slice.loadCoins(),
    }),
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeAddress(message.to)
        .storeCoins(message.amount)
        .storeCoins(message.forwardTonAmount);
    },
  },
);
