import type { Address, Builder, Slice } from '@ton/core';

// gp_wallet#_ balance:Coins owner:MsgAddress minter:MsgAddress locks:(HashmapE 267 VoteLock)
//   = WalletStorage;
// Standard wallets end before `locks`, which is not read here: read models do not show locks.

export interface WalletStorage {
  balance: bigint;
  owner: Address;
  minter: Address;
}

export function loadWalletStorage(slice: Slice): WalletStorage {
  return { balance: slice.loadCoins(), owner: slice.loadAddress(), minter: slice.loadAddress() };
}

/** The storage of a GP wallet that holds no votes, as it is deployed. */
export function storeWalletStorage(storage: WalletStorage) {
  return (builder: Builder): void => {
    builder
      .storeCoins(storage.balance)
      .storeAddress(storage.owner)
      .storeAddress(storage.minter)
      .storeMaybeRef(null);
  };
}
