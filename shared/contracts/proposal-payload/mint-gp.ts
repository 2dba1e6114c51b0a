import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** New GP for an owner. */
export interface MintGp {
  to: Address;
  amount: bigint;
}

export const mintGp = messageSchema<MintGp>('mint_gp to:MsgAddress amount:Coins = ProposalPayload', {
  load: (slice) => ({ to: slice.loadAddress(), amount: slice.loadCoins() }),
  store: (payload, builder) => {
    builder.storeAddress(payload.to).storeCoins(payload.amount);
  },
});
