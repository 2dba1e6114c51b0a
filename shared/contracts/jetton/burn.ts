import type { Address, Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Owner to jetton wallet: destroy jettons (TEP-74). */
export interface JettonBurn {
  queryId: bigint;
  amount: bigint;
  responseDestination: Address | null;
  customPayload: Cell | null;
}

export const jettonBurn = messageSchema<JettonBurn>(
  'burn query_id:uint64 amount:(VarUInteger 16) response_destination:MsgAddress custom_payload:(Maybe ^Cell) = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      amount: slice.loadCoins(),
      responseDestination: slice.loadMaybeAddress(),
      customPayload: slice.loadMaybeRef(),
    }),
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeCoins(message.amount)
        .storeAddress(message.responseDestination)
        .storeMaybeRef(message.customPayload);
    },
  },
);
