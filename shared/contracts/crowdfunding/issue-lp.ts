import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Campaign to LP manager: LP jettons (10^9 units a token) for an owner or a vault. */
export interface IssueLp {
  queryId: bigint;
  to: Address;
  amount: bigint;
  forwardTonAmount: bigint;
}

export const issueLp = messageSchema<IssueLp>(
  'issue_lp query_id:uint64 to:MsgAddress amount:Coins forward_ton_amount:Coins = InternalMsgBody',
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
