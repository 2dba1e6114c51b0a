import { messageSchema } from '../message-schema.ts';

/** Coins that were left over return (TEP-74). */
export interface Excesses {
  queryId: bigint;
}

export const excesses = messageSchema<Excesses>(
  'excesses query_id:uint64 = InternalMsgBody',
  {
    load: (slice) => ({ queryId: slice.loadUintBig(64) }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64);
    },
  },
  'response',
);
