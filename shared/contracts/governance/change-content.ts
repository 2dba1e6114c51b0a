import type { Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Admin to minter: new metadata, a TEP-64 cell. */
export interface ChangeContent {
  queryId: bigint;
  content: Cell;
}

export const changeContent = messageSchema<ChangeContent>(
  'change_content query_id:uint64 content:^Cell = InternalMsgBody',
  {
    load: (slice) => ({ queryId: slice.loadUintBig(64), content: slice.loadRef() }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeRef(message.content);
    },
  },
);
