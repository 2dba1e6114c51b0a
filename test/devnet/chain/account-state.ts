import { beginCell, Cell, loadShardAccount } from '@ton/core';

/** An account after a block, as history keeps it: the code apart, because hundreds share it. */
export interface AccountState {
  type: 'uninit' | 'active' | 'frozen';
  balance: string;
  /** Of its newest transaction; the hash in base64. */
  lt: string;
  hash: string;
  /** Hex, a key of the store's codes. */
  codeHash?: string;
  dataHash?: string;
  data?: Uint8Array;
  frozenHash?: string;
  lastPaid: number;
  duePayment?: string;
  usedBits: number;
  usedCells: number;
}

/** Reads what the executor left of an account, and its code. */
export function readAccount(shardAccount: string): { state: AccountState; code?: Cell } {
  const { account, lastTransactionHash, lastTransactionLt } = loadShardAccount(
    Cell.fromBase64(shardAccount).beginParse(),
  );
  const last = {
    lt: lastTransactionLt.toString(),
    hash: Buffer.from(lastTransactionHash.toString(16).padStart(64, '0'), 'hex').toString('base64'),
  };
  if (!account) {
    return {
      state: { type: 'uninit', balance: '0', ...last, lastPaid: 0, usedBits: 0, usedCells: 0 },
    };
  }
  const { storage, storageStats } = account;
  const common = {
    balance: storage.balance.coins.toString(),
    ...last,
    lastPaid: storageStats.lastPaid,
    ...(storageStats.duePayment && { duePayment: storageStats.duePayment.toString() }),
    usedBits: Number(storageStats.used.bits),
    usedCells: Number(storageStats.used.cells),
  };
  switch (storage.state.type) {
    case 'active': {
      const code = storage.state.state.code ?? beginCell().endCell();
      const data = storage.state.state.data ?? beginCell().endCell();
      return {
        code,
        state: {
          type: 'active',
          ...common,
          codeHash: code.hash().toString('hex'),
          dataHash: data.hash().toString('base64'),
          data: data.toBoc({ idx: false, crc32: false }),
        },
      };
    }
    case 'frozen':
      return {
        state: {
          type: 'frozen',
          ...common,
          frozenHash: Buffer.from(storage.state.stateHash.toString(16).padStart(64, '0'), 'hex').toString(
            'base64',
          ),
        },
      };
    case 'uninit':
      return { state: { type: 'uninit', ...common } };
  }
}
