import { messageSchema } from '../message-schema.ts';

/** Campaign to fee manager: the fee of a native campaign; nanoton. */
export interface DaoFee {
  queryId: bigint;
  amount: bigint;
}

export const daoFee = messageSchema<DaoFee>('dao_fee query_id:uint64 amount:Coins = InternalMsgBody', {
  load: (slice) => ({
    queryId: slice.loadUintBig(64),
    amount: slice.loadCoins(),
  }),
  store: (message, builder) => {
    builder.storeUint(message.queryId, 64).storeCoins(message.amount);
  },
});
