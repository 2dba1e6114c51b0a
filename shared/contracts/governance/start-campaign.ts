import type { Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** DAO (6.1) to its crowdfunding plugin: open a campaign. */
export interface StartCampaign {
  queryId: bigint;
  params: Cell;
}

export const startCampaign = messageSchema<StartCampaign>(
  'start_campaign query_id:uint64 params:^Cell = InternalMsgBody',
  {
    load: (slice) => ({ queryId: slice.loadUintBig(64), params: slice.loadRef() }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeRef(message.params);
    },
  },
);
