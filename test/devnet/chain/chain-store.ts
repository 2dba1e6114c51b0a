import { type Database, open, type RootDatabase } from 'lmdb';
import type { StoryFacts } from '../story/facts.ts';
import type { AccountState } from './account-state.ts';
import type { Block } from './block.ts';

/** A transaction as it is kept. */
export interface StoredTransaction {
  hash: string;
  seqno: number;
  boc: Uint8Array;
}

/** All that one block adds; written as a whole or not at all. */
export interface BlockCommit {
  block: Block;
  transactions: { account: string; lt: string; stored: StoredTransaction }[];
  /** `shardAccount`: the executor's own form; empty where a later commit of the same batch has a newer one. */
  states: { account: string; state: AccountState; shardAccount: string }[];
  codes: { hash: string; boc: Uint8Array }[];
  /** The messages that wait for a later block, and the lt that the next transaction follows. */
  queue: Uint8Array[];
  lt: string;
}

/** Facts about the chain as a whole. */
export interface ChainMeta {
  queue: Uint8Array[];
  lt: string;
  /** What the story left; there only once it was told to its end. */
  story: StoryFacts;
  /** The number of the story's last block. */
  storyHead: number;
  /** How many of the story's blocks may be seen, where they are revealed little by little. */
  revealed: number;
  /** Seconds that the devnet's clock is ahead of the wall's. */
  clockOffset: number;
}

const PAGE = 20;

/** The chain on disk: blocks, transactions, every account's history, and what goes on with it. */
export class ChainStore {
  readonly #root: RootDatabase;
  readonly #blocks: Database<Block, number>;
  readonly #utimes: Database<number, [number, number]>;
  readonly #transactions: Database<StoredTransaction, [string, number]>;
  readonly #states: Database<AccountState, [string, number]>;
  readonly #latest: Database<string, string>;
  readonly #codes: Database<Uint8Array, string>;
  readonly #meta: Database<unknown, string>;

  constructor(folder: string) {
    // noSync: a killed process loses nothing (the kernel has the pages); a lost power supply may, on a devnet.
    // noSubdir: without it lmdb takes a folder with a dot in its name for a file.
    this.#root = open({ path: folder, noSubdir: false, maxDbs: 8, noSync: true });
    this.#blocks = this.#root.openDB({ name: 'blocks' });
    this.#utimes = this.#root.openDB({ name: 'utimes' });
    this.#transactions = this.#root.openDB({ name: 'transactions' });
    this.#states = this.#root.openDB({ name: 'states' });
    this.#latest = this.#root.openDB({ name: 'latest' });
    this.#codes = this.#root.openDB({ name: 'codes' });
    this.#meta = this.#root.openDB({ name: 'meta' });
  }

  /** Writes blocks, and facts about the chain beside them, in one transaction. */
  commit(commits: BlockCommit[], meta: Partial<ChainMeta> = {}): void {
    this.#root.transactionSync(() => {
      for (const commit of commits) {
        this.#put(commit);
      }
      this.setMeta(meta);
    });
  }

  /** Forgets everything: a story that was not told to its end is told again from its beginning. */
  clear(): void {
    this.#root.transactionSync(() => {
      const all = [
        this.#blocks,
        this.#utimes,
        this.#transactions,
        this.#states,
        this.#latest,
        this.#codes,
        this.#meta,
      ];
      for (const database of all) {
        database.clearSync();
      }
    });
  }

  #put({ block, transactions, states, codes, queue, lt }: BlockCommit): void {
    const { seqno } = block.master;
    this.#blocks.putSync(seqno, block);
    this.#utimes.putSync([block.utime, seqno], seqno);
    for (const { account, lt: at, stored } of transactions) {
      this.#transactions.putSync([account, Number(at)], stored);
    }
    for (const { account, state, shardAccount } of states) {
      this.#states.putSync([account, seqno], state);
      if (shardAccount !== '') {
        this.#latest.putSync(account, shardAccount);
      }
    }
    for (const { hash, boc } of codes) {
      this.#codes.putSync(hash, boc);
    }
    this.#meta.putSync('queue', queue);
    this.#meta.putSync('lt', lt);
  }

  /** A fact about the chain as a whole. */
  meta<Key extends keyof ChainMeta>(key: Key): ChainMeta[Key] | undefined {
    return this.#meta.get(key) as ChainMeta[Key] | undefined;
  }

  setMeta(values: Partial<ChainMeta>): void {
    this.#root.transactionSync(() => {
      for (const [key, value] of Object.entries(values)) {
        this.#meta.putSync(key, value);
      }
    });
  }

  head(): Block | undefined {
    for (const { value } of this.#blocks.getRange({ reverse: true, limit: 1 })) {
      return value;
    }
    return undefined;
  }

  block(seqno: number): Block | undefined {
    return this.#blocks.get(seqno);
  }

  /** The first block made at that time or later. */
  blockAtUtime(utime: number): Block | undefined {
    for (const { value } of this.#utimes.getRange({ start: [utime, 0], limit: 1 })) {
      return this.block(value);
    }
    return undefined;
  }

  /** The account after that block; nothing where it was never touched. */
  stateAt(account: string, seqno: number): AccountState | undefined {
    const range = { start: [account, seqno] as [string, number], end: [account, -1] as [string, number] };
    for (const { value } of this.#states.getRange({ ...range, reverse: true, limit: 1 })) {
      return value;
    }
    return undefined;
  }

  /** Every account's newest state. */
  *latestStates(): Iterable<AccountState> {
    for (const account of this.#latest.getKeys()) {
      const state = this.stateAt(account, Number.MAX_SAFE_INTEGER);
      if (state) {
        yield state;
      }
    }
  }

  /** The executor's own form of an account's newest state. */
  latestShardAccount(account: string): string | undefined {
    return this.#latest.get(account);
  }

  code(hash: string): Uint8Array | undefined {
    return this.#codes.get(hash);
  }

  /** At most 20 transactions of an account from that lt back, newest first. */
  transactions(account: string, lt: bigint): StoredTransaction[] {
    const range = { start: [account, Number(lt)] as [string, number], end: [account, 0] as [string, number] };
    return [...this.#transactions.getRange({ ...range, reverse: true, limit: PAGE })].map(
      ({ value }) => value,
    );
  }

  async close(): Promise<void> {
    await this.#root.close();
  }
}
