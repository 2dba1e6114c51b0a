import { type Address, beginCell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Minter's answer to provide_wallet_address (TEP-89). */
export interface TakeWalletAddress {
  queryId: bigint;
  /** Null where the minter has no wallet for such an owner. */
  walletAddress: Address | null;
  ownerAddress: Address | null;
}

export const takeWalletAddress = messageSchema<TakeWalletAddress>(
  'take_wallet_address query_id:uint64 wallet_address:MsgAddress owner_address:(Maybe ^MsgAddress) = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      walletAddress: slice.loadMaybeAddress(),
      ownerAddress: slice.loadMaybeRef()?.beginParse().loadAddress() ?? null,
    }),
    store: (message, builder) => {
      const owner = message.ownerAddress && beginCell().storeAddress(message.ownerAddress).endCell();
      builder.storeUint(message.queryId, 64).storeAddress(message.walletAddress).storeMaybeRef(owner);
    },
  },
  'response',
);
