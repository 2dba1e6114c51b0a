import { type Address, Dictionary } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Operator to campaign: who may contribute from now on (true), and who may not any more (false). */
export interface ChangeWhitelist {
  queryId: bigint;
  /** In the order of their bits, as the dictionary keeps them. */
  changes: [Address, boolean][];
}

export const changeWhitelist = messageSchema<ChangeWhitelist>(
  'change_whitelist query_id:uint64 changes:(HashmapE 267 Bool) = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      changes: [...slice.loadDict(Dictionary.Keys.Address(), Dictionary.Values.Bool())],
    }),
    store: (message, builder) => {
      const changes = Dictionary.empty(Dictionary.Keys.Address(), Dictionary.Values.Bool());
      for (const [address, listed] of message.changes) changes.set(address, listed);
      builder.storeUint(message.queryId, 64).storeDict(changes);
    },
  },
);
