import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** The DAO destroys GP of its own GP wallet. */
export interface BurnGp {
  jettonWallet: Address;
  amount: bigint;
}

export const burnGp = messageSchema<BurnGp>(
  'burn_gp jetton_wallet:MsgAddress amount:Coins = ProposalPayload',
  {
    load: (slice) => ({ jettonWallet: slice.loadAddress(), amount: slice.loadCoins() }),
    store: (payload, builder) => {
      builder.storeAddress(payload.jettonWallet).storeCoins(payload.amount);
    },
  },
);
