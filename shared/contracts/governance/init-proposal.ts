import type { Address, Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';
import { loadSnakeText, snakeText } from '../snake-text.ts';

/** DAO to the proposal that it deploys. */
export interface InitProposal {
  queryId: bigint;
  initiator: Address;
  jettonMinter: Address;
  /** Basis points. */
  successPercentage: number;
  /** Seconds. */
  duration: number;
  name: string;
  description: string;
  payload: Cell;
}

export const initProposal = messageSchema<InitProposal>(
  'init_proposal query_id:uint64 initiator:MsgAddress jetton_minter:MsgAddress success_percentage:uint16 duration:uint32 name:^Cell description:^Cell payload:^Cell = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      initiator: slice.loadAddress(),
      jettonMinter: slice.loadAddress(),
      successPercentage: slice.loadUint(16),
      duration: slice.loadUint(32),
      name: loadSnakeText(slice.loadRef().beginParse()),
      description: loadSnakeText(slice.loadRef().beginParse()),
      payload: slice.loadRef(),
    }),
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeAddress(message.initiator)
        .storeAddress(message.jettonMinter)
        .storeUint(message.successPercentage, 16)
        .storeUint(message.duration, 32)
        .storeRef(snakeText(message.name))
        .storeRef(snakeText(message.description))
        .storeRef(message.payload);
    },
  },
);
