import { setTimeout as sleep } from 'node:timers/promises';
import type { Block } from './chain/block.ts';
import type { Chain } from './chain/chain.ts';
import type { ChainStore } from './chain/chain-store.ts';
import type { Activity } from './story/activity.ts';

// Without anything to do the head still moves, at a pulse that costs next to nothing.
const IDLE_BLOCKS = 5;
const REVEAL_INTERVAL = 50;

export interface HeadOptions {
  /** Blocks of the story revealed a second; 0 = all at once. */
  pace: number;
  /** Milliseconds between blocks. */
  interval: number;
  activity: Activity | undefined;
}

/**
 * The moving end of the chain. While the story is revealed little by little the head runs through its
 * blocks; after that it follows the wall clock and takes what is sent and what the activity does.
 */
export class Head {
  readonly #chain: Chain;
  readonly #store: ChainStore;
  readonly #pace: number;
  readonly #interval: number;
  readonly #activity: Activity | undefined;
  readonly #storyHead: number;
  readonly #abort = new AbortController();
  #revealed: number;
  #clockOffset: number;
  #lastBlockAt = 0;
  #running: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(chain: Chain, store: ChainStore, { pace, interval, activity }: HeadOptions) {
    this.#chain = chain;
    this.#store = store;
    this.#pace = pace;
    this.#interval = interval;
    this.#activity = activity;
    this.#storyHead = store.meta('storyHead') ?? 0;
    this.#revealed = pace > 0 ? (store.meta('revealed') ?? 1) : this.#storyHead;
    this.#clockOffset = store.meta('clockOffset') ?? 0;
  }

  /** The newest block that may be seen. */
  visible(): Block | undefined {
    return this.#isRevealed() ? this.#chain.head : this.#store.block(Math.floor(this.#revealed));
  }

  /** The devnet's clock in seconds: the story's while it is revealed, then the wall's. */
  now(): number {
    const wall = Math.floor(Date.now() / 1000) + this.#clockOffset;
    return this.#isRevealed() ? wall : (this.visible()?.utime ?? wall);
  }

  advanceClock(seconds: number): void {
    this.#clockOffset += seconds;
    this.#store.setMeta({ clockOffset: this.#clockOffset });
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    let before = performance.now();
    while (!signal.aborted) {
      const now = performance.now();
      await this.#step((now - before) / 1000);
      before = now;
      const interval = this.#isRevealed() ? this.#interval : REVEAL_INTERVAL;
      const spent = performance.now() - now;
      // Never without a pause: the same process may serve others.
      await sleep(Math.max(interval - spent, 5), undefined, { signal }).catch(() => {});
    }
  }

  async #step(seconds: number): Promise<void> {
    if (!this.#isRevealed()) {
      this.#revealed = Math.min(this.#revealed + this.#pace * seconds, this.#storyHead);
      this.#store.setMeta({ revealed: this.#revealed });
      return;
    }
    await this.exclusively(async () => {
      await this.#activity?.act(seconds);
      const isDue = performance.now() - this.#lastBlockAt >= IDLE_BLOCKS * this.#interval;
      if (this.#chain.isBusy || isDue) {
        await this.#chain.produceBlock(this.now());
        this.#lastBlockAt = performance.now();
      }
    });
  }

  /** Does something with the chain while nobody else makes blocks. */
  exclusively<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(act);
    this.#turn = Promise.allSettled([done]);
    return done;
  }

  #isRevealed(): boolean {
    return this.#revealed >= this.#storyHead;
  }
}
