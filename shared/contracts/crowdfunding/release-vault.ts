import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Operator to campaign: unlock the vault of an owner. */
export interface ReleaseVault {
  queryId: bigint;
  owner: Address;
}

export const releaseVault = messageSchema<ReleaseVault>(
  'release_vault query_id:uint64 owner:MsgAddress = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      owner: slice.loadAddress(),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeAddress(message.owner);
    },
  },
);
