import { messageSchema } from '../message-schema.ts';

/** Anyone to a proposal that still waits for its voting data: ask the minter again. */
export interface RetryInit {
  queryId: bigint;
}

export const retryInit = messageSchema<RetryInit>('retry_init query_id:uint64 = InternalMsgBody', {
  load: (slice) => ({ queryId: slice.loadUintBig(64) }),
  store: (message, builder) => {
    builder.storeUint(message.queryId, 64);
  },
});
