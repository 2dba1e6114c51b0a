import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Admin to minter: hand the minter over. */
export interface ChangeAdmin {
  queryId: bigint;
  newAdmin: Address;
}

export const changeAdmin = messageSchema<ChangeAdmin>(
  'change_admin query_id:uint64 new_admin:MsgAddress = InternalMsgBody',
  {
    load: (slice) => ({ queryId: slice.loadUintBig(64), newAdmin: slice.loadAddress() }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeAddress(message.newAdmin);
    },
  },
);
