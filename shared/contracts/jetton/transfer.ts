import type { Address, Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';
import { type ForwardPayload, loadForwardPayload, storeForwardPayload } from './forward-payload.ts';

/** Owner to jetton wallet: send jettons (TEP-74). Amounts in the jetton's and in nanoton units. */
export interface JettonTransfer {
  queryId: bigint;
  amount: bigint;
  destination: Address;
  responseDestination: Address | null;
  customPayload: Cell | null;
  forwardTonAmount: bigint;
  forwardPayload: ForwardPayload;
}

export const jettonTransfer = messageSchema<JettonTransfer>(
  'transfer query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      amount: slice.loadCoins(),
      destination: slice.loadAddress(),
      responseDestination: slice.loadMaybeAddress(),
      customPayload: slice.loadMaybeRef(),
      forwardTonAmount: slice.loadCoins(),
      forwardPayload: loadForwardPayload(slice),
    }),
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeCoins(message.amount)
        .storeAddress(message.destination)
        .storeAddress(message.responseDestination)
        .storeMaybeRef(message.customPayload)
        .storeCoins(message.forwardTonAmount)
        .store(storeForwardPayload(message.forwardPayload));
    },
  },
);
