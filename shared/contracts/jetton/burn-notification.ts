import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Jetton wallet to minter: jettons were destroyed, the supply is to follow (TEP-74). */
export interface JettonBurnNotification {
  queryId: bigint;
  amount: bigint;
  sender: Address;
  responseDestination: Address | null;
}

export const jettonBurnNotification = messageSchema<JettonBurnNotification>(
  'burn_notification query_id:uint64 amount:(VarUInteger 16) sender:MsgAddress response_destination:MsgAddress = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      amount: slice.loadCoins(),
      sender: slice.loadAddress(),
      responseDestination: slice.loadMaybeAddress(),
    }),
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeCoins(message.amount)
        .storeAddress(message.sender)
        .storeAddress(message.responseDestination);
    },
  },
);
