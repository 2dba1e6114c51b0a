import { messageSchema } from '../message-schema.ts';

/** Campaign to helper: may this be added to what its owner has contributed? No maximum where it is 0. */
export interface AddContribution {
  queryId: bigint;
  amount: bigint;
  maxPerUser: bigint;
}

export const addContribution = messageSchema<AddContribution>(
  'add_contribution query_id:uint64 amount:Coins max_per_user:Coins = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      amount: slice.loadCoins(),
      maxPerUser: slice.loadCoins(),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeCoins(message.amount).storeCoins(message.maxPerUser);
    },
  },
);
