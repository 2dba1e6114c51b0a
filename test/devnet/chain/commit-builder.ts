import { beginCell, Cell, loadTransaction, storeMessage } from '@ton/core';
import { type AccountState, readAccount } from './account-state.ts';
import type { Block } from './block.ts';
import type { BlockCommit, ChainStore } from './chain-store.ts';

/** Gathers what a block changes while it runs. */
export class CommitBuilder {
  readonly shardAccounts = new Map<string, string>();
  readonly outMessages: Cell[] = [];
  readonly #transactions: { account: string; lt: string; hash: string; boc: Uint8Array }[] = [];

  add(account: string, transaction: string, shardAccount: string): void {
    const cell = Cell.fromBase64(transaction);
    const { lt, outMessages } = loadTransaction(cell.beginParse());
    this.#transactions.push({
      account,
      lt: lt.toString(),
      hash: cell.hash().toString('base64'),
      boc: Buffer.from(transaction, 'base64'),
    });
    this.shardAccounts.set(account, shardAccount);
    for (const message of outMessages.values()) {
      this.outMessages.push(beginCell().store(storeMessage(message)).endCell());
    }
  }

  transactionIds() {
    return this.#transactions.map(({ account, lt, hash }) => ({ account, lt, hash }));
  }

  build(block: Block, lt: bigint, store: ChainStore): BlockCommit {
    const codes = new Map<string, Uint8Array>();
    const states = [...this.shardAccounts].map(([account, shardAccount]) => {
      const { state, code } = readAccount(shardAccount);
      keepCode(state, code, codes, store);
      return { account, state, shardAccount };
    });
    const { seqno } = block.master;
    return {
      block,
      transactions: this.#transactions.map(({ account, lt: at, hash, boc }) => ({
        account,
        lt: at,
        stored: { hash, seqno, boc },
      })),
      states,
      codes: [...codes].map(([hash, boc]) => ({ hash, boc })),
      queue: this.outMessages.map((message) => message.toBoc({ idx: false, crc32: false })),
      lt: lt.toString(),
    };
  }
}

function keepCode(
  state: AccountState,
  code: Cell | undefined,
  codes: Map<string, Uint8Array>,
  store: ChainStore,
) {
  if (code && state.codeHash !== undefined && store.code(state.codeHash) === undefined) {
    codes.set(state.codeHash, code.toBoc({ idx: false, crc32: false }));
  }
}
