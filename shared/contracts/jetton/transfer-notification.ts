import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';
import { type ForwardPayload, loadForwardPayload, storeForwardPayload } from './forward-payload.ts';

/** Jetton wallet to its owner: jettons have arrived (TEP-74). */
export interface JettonTransferNotification {
  queryId: bigint;
  amount: bigint;
  sender: Address | null;
  forwardPayload: ForwardPayload;
}

export const jettonTransferNotification = messageSchema<JettonTransferNotification>(
  'transfer_notification query_id:uint64 amount:(VarUInteger 16) sender:MsgAddress forward_payload:(Either Cell ^Cell) = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      amount: slice.loadCoins(),
      sender: slice.loadMaybeAddress(),
      forwardPayload: loadForwardPayload(slice),
    }),
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeCoins(message.amount)
        .storeAddress(message.sender)
        .store(storeForwardPayload(message.forwardPayload));
    },
  },
);
