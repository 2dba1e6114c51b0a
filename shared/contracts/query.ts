import type { Builder, Slice } from '@ton/core';

/** A message that says no more than which query it belongs to. */
export interface Query {
  queryId: bigint;
}

export const query = {
  load: (slice: Slice): Query => ({ queryId: slice.loadUintBig(64) }),
  store: (message: Query, builder: Builder): void => {
    builder.storeUint(message.queryId, 64);
  },
};
