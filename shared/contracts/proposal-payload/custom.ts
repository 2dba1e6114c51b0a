import type { Address, Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Any message of the DAO; value in nanoton. */
export interface CustomPayload {
  to: Address;
  value: bigint;
  body: Cell;
}

export const customPayload = messageSchema<CustomPayload>(
  'custom to:MsgAddress value:Coins body:^Cell = ProposalPayload',
  {
    load: (slice) => ({ to: slice.loadAddress(), value: slice.loadCoins(), body: slice.loadRef() }),
    store: (payload, builder) => {
      builder.storeAddress(payload.to).storeCoins(payload.value).storeRef(payload.body);
    },
  },
);
