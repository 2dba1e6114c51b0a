import type { Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** With the deployment of an LP manager: deploy the LP minter with this TEP-64 content. */
export interface InitLpManager {
  queryId: bigint;
  content: Cell;
}

export const initLpManager = messageSchema<InitLpManager>(
  'init_lp_manager query_id:uint64 content:^Cell = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      content: slice.loadRef(),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeRef(message.content);
    },
  },
);
