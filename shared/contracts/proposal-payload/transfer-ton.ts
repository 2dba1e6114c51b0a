import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';
import { loadSnakeText, snakeText } from '../snake-text.ts';

/** The DAO pays coins out of its own balance; nanoton. */
export interface TransferTon {
  to: Address;
  amount: bigint;
  comment: string | null;
}

export const transferTon = messageSchema<TransferTon>(
  'transfer_ton to:MsgAddress amount:Coins comment:(Maybe ^Cell) = ProposalPayload',
  {
    load: (slice) => {
      const to = slice.loadAddress();
      const amount = slice.loadCoins();
      const comment = slice.loadMaybeRef();
      return { to, amount, comment: comment && loadSnakeText(comment.beginParse()) };
    },
    store: (payload, builder) => {
      builder
        .storeAddress(payload.to)
        .storeCoins(payload.amount)
        .storeMaybeRef(payload.comment === null ? null : snakeText(payload.comment));
    },
  },
);
