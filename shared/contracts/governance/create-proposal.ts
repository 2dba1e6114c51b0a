import type { Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';
import { loadSnakeText, snakeText } from '../snake-text.ts';

/** Anyone, with the fee, to DAO: put an action to the vote. */
export interface CreateProposal {
  queryId: bigint;
  name: string;
  description: string;
  /** Seconds. */
  duration: number;
  payload: Cell;
}

export const createProposal = messageSchema<CreateProposal>(
  'create_proposal query_id:uint64 name:^Cell description:^Cell duration:uint32 payload:^Cell = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      name: loadSnakeText(slice.loadRef().beginParse()),
      description: loadSnakeText(slice.loadRef().beginParse()),
      duration: slice.loadUint(32),
      payload: slice.loadRef(),
    }),
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeRef(snakeText(message.name))
        .storeRef(snakeText(message.description))
        .storeUint(message.duration, 32)
        .storeRef(message.payload);
    },
  },
);
