import { messageSchema } from '../message-schema.ts';

/** Anyone to campaign, after its end: decide whether it was successful. */
export interface Finalise {
  queryId: bigint;
}

export const finalise = messageSchema<Finalise>('finalise query_id:uint64 = InternalMsgBody', {
  load: (slice) => ({
    queryId: slice.loadUintBig(64),
  }),
  store: (message, builder) => {
    builder.storeUint(message.queryId, 64);
  },
});
