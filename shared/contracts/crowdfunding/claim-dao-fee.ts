import { messageSchema } from '../message-schema.ts';

/** Anyone to a successful campaign: the fee to the fee manager, once. */
export interface ClaimDaoFee {
  queryId: bigint;
}

export const claimDaoFee = messageSchema<ClaimDaoFee>('claim_dao_fee query_id:uint64 = InternalMsgBody', {
  load: (slice) => ({
    queryId: slice.loadUintBig(64),
  }),
  store: (message, builder) => {
    builder.storeUint(message.queryId, 64);
  },
});
