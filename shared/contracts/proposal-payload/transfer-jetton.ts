import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** The DAO sends jettons out of its jetton wallet. */
export interface TransferJetton {
  jettonWallet: Address;
  to: Address;
  amount: bigint;
  forwardTonAmount: bigint;
}

export const transferJetton = messageSchema<TransferJetton>(
  'transfer_jetton jetton_wallet:MsgAddress to:MsgAddress amount:Coins forward_ton_amount:Coins = ProposalPayload',
  {
    load: (slice) => ({
      jettonWallet: slice.loadAddress(),
      to: slice.loadAddress(),
      amount: slice.loadCoins(),
      forwardTonAmount: slice.loadCoins(),
    }),
    store: (payload, builder) => {
      builder
        .storeAddress(payload.jettonWallet)
        .storeAddress(payload.to)
        .storeCoins(payload.amount)
        .storeCoins(payload.forwardTonAmount);
    },
  },
);
