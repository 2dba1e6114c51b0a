import { Address, beginCell, Cell, loadMessage, storeShardAccount, type TupleItem } from '@ton/core';
import { createEmptyShardAccount, defaultConfig, Executor } from '@ton/sandbox';
import { type Block, sealBlock } from './block.ts';
import type { BlockCommit, ChainStore } from './chain-store.ts';
import { CommitBuilder } from './commit-builder.ts';
import { getMethodConfig } from './get-method-config.ts';

// As in the sandbox: far more than a transaction can use for its messages.
const LT_STEP = 1_000_000n;
const NO_SEED = Buffer.alloc(32);
const GET_METHOD_GAS = 10_000_000n;

/** The outcome of a get-method; `result` is a serialized tuple's BOC in base64. */
export interface GetMethodResult {
  exitCode: number;
  result: string | null;
}

/** An external message that no contract paid for: it leaves no trace on the chain. */
export class NotAcceptedError extends Error {}

/**
 * The devnet's chain: a real TVM under blocks of our own. A block processes the messages that waited
 * when it began; what these send waits for the next one, so that a trace spreads over several blocks
 * as it does on TON. Everything that goes on with the chain is in the store after each block.
 */
export class Chain {
  readonly #store: ChainStore;
  readonly #executor: Executor;
  /** Accounts that the chain began with. */
  readonly #genesis = new Map<string, string>();
  #head: Block | undefined;
  #queue: Cell[];
  #lt: bigint;

  /** Sees what each new block wrote. */
  onCommit: ((commit: BlockCommit) => void) | undefined;

  private constructor(store: ChainStore, executor: Executor) {
    this.#store = store;
    this.#executor = executor;
    this.#head = store.head();
    this.#queue = (store.meta('queue') ?? []).map((boc) => parse(boc));
    this.#lt = BigInt(store.meta('lt') ?? '0');
  }

  static async open(store: ChainStore): Promise<Chain> {
    return new Chain(store, await Executor.create());
  }

  get head(): Block | undefined {
    return this.#head;
  }

  /** Whether messages wait for the next block. */
  get isBusy(): boolean {
    return this.#queue.length > 0;
  }

  /** Puts an account into the chain's zero state: the giver that all coins come from. */
  seedAccount(shardAccount: string, address: Address): void {
    this.#genesis.set(address.toRawString(), shardAccount);
  }

  /** Hands an external message to the next block. */
  push(message: Cell): void {
    this.#queue.push(message);
  }

  /** Tries an external message on the newest state, as a liteserver does before it passes one on. */
  async check(message: Cell, utime: number): Promise<void> {
    const { info } = loadMessage(message.beginParse());
    if (info.type !== 'external-in') {
      throw new NotAcceptedError('only external-in messages can be sent');
    }
    const attempt = await this.#run(message, this.#shardAccount(info.dest), utime, this.#lt + LT_STEP);
    if (!attempt) {
      throw new NotAcceptedError('cannot apply external message to current state');
    }
  }

  /** Makes the next block at that time (never earlier than the last) out of the waiting messages. */
  async produceBlock(utime: number): Promise<Block> {
    const time = Math.max(utime, this.#head?.utime ?? 0);
    const waiting = this.#queue;
    const commit = new CommitBuilder();
    let lt = this.#lt;
    for (const message of waiting) {
      const { info } = loadMessage(message.beginParse());
      if (info.type === 'external-out') {
        continue;
      }
      const account = info.dest.toRawString();
      const before = commit.shardAccounts.get(account) ?? this.#shardAccount(info.dest);
      const done = await this.#run(message, before, time, lt + LT_STEP);
      if (done) {
        lt += LT_STEP;
        commit.add(account, done.transaction, done.shardAccount);
      }
    }
    const block = sealBlock(this.#head, time, commit.transactionIds());
    const written = commit.build(block, lt, this.#store);
    this.#store.commit([written]);
    this.onCommit?.(written);
    this.#head = block;
    this.#lt = lt;
    // Externals can have come in while the executor ran: those stay.
    this.#queue = [...commit.outMessages, ...this.#queue.slice(waiting.length)];
    return block;
  }

  /** Whether a contract answers there now. */
  isDeployed(address: Address): boolean {
    const seqno = this.#head?.master.seqno ?? 0;
    return this.#store.stateAt(address.toRawString(), seqno)?.type === 'active';
  }

  /** Runs a get-method on the account as it was after that block. */
  async runMethod(
    address: Address,
    method: number,
    args: TupleItem[],
    seqno: number,
  ): Promise<GetMethodResult> {
    const state = this.#store.stateAt(address.toRawString(), seqno);
    const code = state?.codeHash === undefined ? undefined : this.#store.code(state.codeHash);
    if (!state?.data || !code) {
      return { exitCode: -256, result: null };
    }
    const { output } = await this.#executor.runGetMethod({
      code: parse(code),
      data: parse(state.data),
      methodId: method,
      stack: args,
      config: getMethodConfig(),
      verbosity: 'short',
      address,
      unixTime: this.#store.block(seqno)?.utime ?? 0,
      balance: BigInt(state.balance),
      randomSeed: NO_SEED,
      gasLimit: GET_METHOD_GAS,
      debugEnabled: false,
    });
    return output.success
      ? { exitCode: output.vm_exit_code, result: output.stack }
      : { exitCode: -256, result: null };
  }

  async #run(message: Cell, shardAccount: string, now: number, lt: bigint) {
    const { result } = await this.#executor.runTransaction({
      config: defaultConfig,
      libs: null,
      verbosity: 'short',
      shardAccount,
      message,
      now,
      lt,
      randomSeed: NO_SEED,
      ignoreChksig: false,
      debugEnabled: false,
    });
    return result.success ? result : undefined;
  }

  #shardAccount(address: Address): string {
    const raw = address.toRawString();
    return this.#store.latestShardAccount(raw) ?? this.#genesis.get(raw) ?? emptyAccount(address);
  }
}

function emptyAccount(address: Address): string {
  return beginCell()
    .store(storeShardAccount(createEmptyShardAccount(address)))
    .endCell()
    .toBoc()
    .toString('base64');
}

function parse(boc: Uint8Array): Cell {
  const [cell] = Cell.fromBoc(Buffer.from(boc));
  if (!cell) {
    throw new RangeError('a bag of cells without a root');
  }
  return cell;
}
