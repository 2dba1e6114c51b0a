import type { Address, Builder, Slice } from '@ton/core';

/** Between a helper and its campaign: an amount in the campaign's currency, and whose it is. */
export interface OwnedAmount {
  queryId: bigint;
  amount: bigint;
  owner: Address;
}

/** The fields of the messages that say no more than this. */
export const ownedAmount = {
  load: (slice: Slice): OwnedAmount => ({
    queryId: slice.loadUintBig(64),
    amount: slice.loadCoins(),
    owner: slice.loadAddress(),
  }),
  store: (message: OwnedAmount, builder: Builder): void => {
    builder.storeUint(message.queryId, 64).storeCoins(message.amount).storeAddress(message.owner);
  },
};
