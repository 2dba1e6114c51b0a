import { messageSchema } from '../message-schema.ts';

/** Investor to native campaign: nanoton, which the value of the message must hold beside the reserve. */
export interface Contribute {
  queryId: bigint;
  amount: bigint;
}

export const contribute = messageSchema<Contribute>(
  'contribute query_id:uint64 amount:Coins = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      amount: slice.loadCoins(),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeCoins(message.amount);
    },
  },
);
