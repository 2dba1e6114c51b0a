import { messageSchema } from '../message-schema.ts';

/** Operator to campaign: take no contributions for now, or take them again. */
export interface SetPaused {
  queryId: bigint;
  paused: boolean;
}

export const setPaused = messageSchema<SetPaused>(
  'set_paused query_id:uint64 paused:Bool = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      paused: slice.loadBit(),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeBit(message.paused);
    },
  },
);
