import type { Address, Builder, Cell, Slice } from '@ton/core';

// gp_minter#_ total_supply:Coins admin:MsgAddress content:^Cell wallet_code:^Cell = MinterStorage;
// The layout of the standard minter, which TEP-74 jettons share where they follow the reference.

export interface MinterStorage {
  totalSupply: bigint;
  admin: Address | null;
  content: Cell;
  walletCode: Cell;
}

export function loadMinterStorage(slice: Slice): MinterStorage {
  return {
    totalSupply: slice.loadCoins(),
    admin: slice.loadMaybeAddress(),
    content: slice.loadRef(),
    walletCode: slice.loadRef(),
  };
}

export function storeMinterStorage(storage: MinterStorage) {
  return (builder: Builder): void => {
    builder
      .storeCoins(storage.totalSupply)
      .storeAddress(storage.admin)
      .storeRef(storage.content)
      .storeRef(storage.walletCode);
  };
}
