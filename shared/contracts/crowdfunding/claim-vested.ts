import { messageSchema } from '../message-schema.ts';

/** Owner to vesting vault: what is vested and was not claimed. */
export interface ClaimVested {
  queryId: bigint;
}

export const claimVested = messageSchema<ClaimVested>('claim_vested query_id:uint64 = InternalMsgBody', {
  load: (slice) => ({
    queryId: slice.loadUintBig(64),
  }),
  store: (message, builder) => {
    builder.storeUint(message.queryId, 64);
  },
});
