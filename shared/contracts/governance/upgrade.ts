import type { Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Admin to any contract of the family: replace the code; it runs from the next transaction on. */
export interface Upgrade {
  queryId: bigint;
  code: Cell;
}

export const upgrade = messageSchema<Upgrade>('upgrade query_id:uint64 code:^Cell = InternalMsgBody', {
  load: (slice) => ({ queryId: slice.loadUintBig(64), code: slice.loadRef() }),
  store: (message, builder) => {
    builder.storeUint(message.queryId, 64).storeRef(message.code);
  },
});
