import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';
import { type ForwardPayload, loadForwardPayload, storeForwardPayload } from './forward-payload.ts';

/** Jetton wallet (or minter, for a mint) to jetton wallet: jettons arrive (TEP-74). */
export interface JettonInternalTransfer {
  queryId: bigint;
  amount: bigint;
  /** Owner of the sending wallet; null for a mint. */
  from: Address | null;
  responseAddress: Address | null;
  forwardTonAmount: bigint;
  forwardPayload: ForwardPayload;
}

export const jettonInternalTransfer = messageSchema<JettonInternalTransfer>(
  'internal_transfer query_id:uint64 amount:(VarUInteger 16) from:MsgAddress response_address:MsgAddress forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      amount: slice.loadCoins(),
      from: slice.loadMaybeAddress(),
      responseAddress: slice.loadMaybeAddress(),
      forwardTonAmount: slice.loadCoins(),
      forwardPayload: loadForwardPayload(slice),
    }),
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeCoins(message.amount)
        .storeAddress(message.from)
        .storeAddress(message.responseAddress)
        .storeCoins(message.forwardTonAmount)
        .store(storeForwardPayload(message.forwardPayload));
    },
  },
);
