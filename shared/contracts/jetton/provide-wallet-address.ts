import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Anyone to minter: which is the wallet of this owner (TEP-89)? */
export interface ProvideWalletAddress {
  queryId: bigint;
  ownerAddress: Address;
  includeAddress: boolean;
}

export const provideWalletAddress = messageSchema<ProvideWalletAddress>(
  'provide_wallet_address query_id:uint64 owner_address:MsgAddress include_address:Bool = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      ownerAddress: slice.loadAddress(),
      includeAddress: slice.loadBit(),
    }),
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeAddress(message.ownerAddress)
        .storeBit(message.includeAddress);
    },
  },
);
