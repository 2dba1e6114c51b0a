import {
  type Address,
  beginCell,
  Cell,
  parseTuple,
  storeShardAccount,
  type TupleItem,
  TupleReader,
} from '@ton/core';
import { createShardAccount } from '@ton/sandbox';
import type { Block } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import { methodId } from '../chain/method-id.ts';
import { type Actor, type Letter, plainActor } from './actor.ts';

// A masterchain block each 0.4 s, as on mainnet.
const BLOCKS_PER_SECOND = 2.5;
/** For a clock that somebody else moves. */
export const STANDING_CLOCK = Number.POSITIVE_INFINITY;
const GIVER_COINS = 100_000_000n * 10n ** 9n;

/** The stage that a story is played on: a chain, a clock that the story moves, and the giver of coins. */
export class World {
  readonly chain: Chain;
  readonly giver: Actor = plainActor('giver');
  readonly #blocksPerSecond: number;
  #now: number;
  #blocksAtThisTime = 0;

  constructor(chain: Chain, now: number, blocksPerSecond = BLOCKS_PER_SECOND) {
    this.chain = chain;
    this.#now = now;
    this.#blocksPerSecond = blocksPerSecond;
  }

  /** The stage of a new chain: with the giver's coins, which its zero state begins with. */
  static begin(chain: Chain, now: number): World {
    const world = new World(chain, now);
    const { address, init } = world.giver;
    if (!init.code || !init.data) {
      throw new Error('the giver has no code');
    }
    const account = createShardAccount({ address, code: init.code, data: init.data, balance: GIVER_COINS });
    const cell = beginCell().store(storeShardAccount(account)).endCell();
    chain.seedAccount(cell.toBoc().toString('base64'), address);
    return world;
  }

  get now(): number {
    return this.#now + Math.floor(this.#blocksAtThisTime / this.#blocksPerSecond);
  }

  /** Lets time pass; no blocks are made meanwhile. */
  wait(seconds: number): void {
    this.#now = this.now + seconds;
    this.#blocksAtThisTime = 0;
  }

  /** Has an actor send letters with the next block, in as few external messages as its wallet allows. */
  send(actor: Actor, ...letters: Letter[]): void {
    for (let from = 0; from < letters.length; from += actor.capacity) {
      this.chain.push(actor.external(letters.slice(from, from + actor.capacity)));
    }
  }

  async block(): Promise<Block> {
    const block = await this.chain.produceBlock(this.now);
    this.#blocksAtThisTime++;
    return block;
  }

  /** Makes blocks until no message waits any more. */
  async settle(): Promise<void> {
    do {
      await this.block();
    } while (this.chain.isBusy);
  }

  /** Gives each of them coins and, with them, the code of its wallet. */
  async fund(actors: Actor[], value: bigint): Promise<void> {
    this.send(
      this.giver,
      ...actors.map(({ address, init }) => ({ to: address, value, init, bounce: false })),
    );
    await this.settle();
  }

  /** Reads a contract as it is now. */
  async get(address: Address, method: string, args: TupleItem[] = []): Promise<TupleReader> {
    const seqno = this.chain.head?.master.seqno ?? 0;
    const { exitCode, result } = await this.chain.runMethod(address, methodId(method), args, seqno);
    if (exitCode > 1 || exitCode < 0 || result === null) {
      throw new Error(`${method} of ${address.toRawString()} ended with exit code ${exitCode}`);
    }
    return new TupleReader(parseTuple(Cell.fromBase64(result)));
  }
}
