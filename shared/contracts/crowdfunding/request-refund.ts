import { messageSchema } from '../message-schema.ts';

/** Owner to helper: the money back of a failed campaign. */
export interface RequestRefund {
  queryId: bigint;
}

export const requestRefund = messageSchema<RequestRefund>(
  'request_refund query_id:uint64 = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64);
    },
  },
);
