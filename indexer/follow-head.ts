import { setTimeout as pause } from 'node:timers/promises';
import type { ChainHead } from '../shared/chain/chain-client.ts';
import { IndexerError } from '../shared/errors.ts';
import type { AppendBatch } from '../shared/event-log/event-log.ts';
import { backfill, completion } from './backfill.ts';
import { ShardContinuity, type ShardGap, touchedBy } from './block-hints.ts';
import { type Blocks, blocksBetween } from './block-stream.ts';
import { emit } from './emit.ts';
import { type Pin, type Reading, readTree, type Touched } from './read-tree.ts';
import type { Session } from './session.ts';
import { headChange } from './tracked-accounts.ts';

/** Follows the head of the chain for the DAOs that were admitted, one step after the other. */
export class HeadFollower {
  /** The block that every admitted DAO is read up to once the step in flight is through. */
  private target: number;
  private readonly session: Session;
  private readonly followed: Set<string>;
  private readonly continuity = new ShardContinuity();
  private readonly heads: ChainHead[] = [];
  private step: Promise<void> = Promise.resolve();
  private retryAt = 0;

  constructor(session: Session) {
    this.session = session;
    this.target = session.tracked.head?.seqno ?? 0;
    this.followed = new Set(
      [...session.tracked.daos].flatMap(([dao, entry]) => (entry.following ? dao : [])),
    );
  }

  isFollowing(dao: string): boolean {
    return this.followed.has(dao);
  }

  /** Admits a DAO that is read up to block `seqno`: 0, or how many blocks it must come closer first. */
  admit(dao: string, seqno: number): number {
    if (seqno < this.target) return this.target - seqno;
    this.followed.add(dao);
    return 0;
  }

  /** Lets a DAO go; resolves when no step works on it any more. */
  async dismiss(dao: string): Promise<void> {
    this.followed.delete(dao);
    await this.step.catch(() => undefined);
  }

  async run(): Promise<void> {
    const { chain, signal, limits } = this.session;
    while (!signal.aborted) {
      const head = await chain.head();
      this.heads.push(head);
      if (this.heads.length > 1000) this.heads.shift();
      await this.catchUp(head);
      await pause(limits.pollMs, undefined, { signal });
    }
  }

  private async catchUp(head: ChainHead): Promise<void> {
    const { tracked, limits } = this.session;
    const from = tracked.head?.seqno ?? head.seqno - 1;
    if (head.seqno <= from) return;
    if (this.followed.size === 0) return this.take(() => this.skipTo(head));
    if (head.seqno - from > limits.blocksToFollow) return this.take(() => this.readChains(head));
    try {
      await this.followBlocks(from + 1, head.seqno);
    } catch (error) {
      if (!(error instanceof IndexerError) || error.code !== 'BEYOND_HISTORY') throw error;
      this.session.logger.warn(
        { err: error },
        'blocks are gone from the server: accounts are read from their chains',
      );
      await this.take(() => this.readChains(head));
    }
  }

  private async followBlocks(from: number, to: number): Promise<void> {
    for await (const blocks of blocksBetween(this.session, from, to)) {
      const pin = { seqno: blocks.to, now: await this.timeOf(blocks) };
      await this.take(() => this.follow(blocks, pin));
    }
  }

  private async follow({ shards }: Blocks, pin: Pin): Promise<void> {
    this.target = pin.seqno;
    this.sweep(this.continuity.observe(shards));
    const daos = new Set(this.followed);
    const touched = touchedBy(this.session.tracked, daos, shards);
    if (this.session.clock() >= this.retryAt) this.retryStopped(daos, touched);
    await readAndEmit(this.session, daos, touched, pin, this.moved(pin));
  }

  /** Accounts that stopped, or that a kill left half-read, from the chain itself instead of a hint. */
  private retryStopped(daos: ReadonlySet<string>, touched: Map<string, Touched[]>): void {
    const { tracked, clock, limits } = this.session;
    this.retryAt = clock() + limits.retryMs;
    for (const dao of daos) {
      const pending = tracked.pendingOf(dao).map((account) => ({ account, tip: null }));
      if (pending.length === 0) continue;
      const again = new Set(pending.map(({ account }) => account.account));
      const others = (touched.get(dao) ?? []).filter(({ account }) => !again.has(account.account));
      touched.set(dao, [...others, ...pending]);
    }
  }

  /** The place of the sweep: here it will be told under which shards hints may have been left out. */
  private sweep(gaps: ShardGap[]): void {
    if (gaps.length > 0) this.session.logger.debug({ gaps }, 'shard blocks are not continuous');
  }

  /** Too far behind for blocks: every account of every DAO is read from its chain. */
  private async readChains(head: ChainHead): Promise<void> {
    this.target = head.seqno;
    for (const dao of this.followed) await backfill(this.session, dao);
    await this.session.log.append({ records: [], ...this.moved(head) });
  }

  private async skipTo(head: ChainHead): Promise<void> {
    this.target = head.seqno;
    await this.session.log.append({ records: [], ...this.moved(head) });
  }

  private moved({ seqno, now }: Pin): Pick<Required<AppendBatch>, 'state' | 'asOf'> {
    return { state: [headChange({ seqno, time: now })], asOf: { seqno, time: now } };
  }

  /**
   * The time of a block. The v4 API tells that of the head alone; of an earlier one the time of a
   * transaction in it is taken, else the last time known before it: never later than the truth.
   */
  private async timeOf({ to, shards }: Blocks): Promise<number> {
    const head = this.heads.findLast(({ seqno }) => seqno <= to);
    if (head?.seqno === to) return head.now;
    const earlier = Math.max(head?.now ?? 0, this.session.tracked.head?.time ?? 0);
    const newest = shards.flatMap(({ transactions }) => transactions).at(-1);
    if (!newest) return earlier;
    try {
      const [first] = await this.session.chain.transactions(newest.account, newest);
      return Math.max(earlier, first?.transaction.now ?? 0);
    } catch {
      this.session.signal.throwIfAborted();
      return earlier;
    }
  }

  private take(step: () => Promise<void>): Promise<void> {
    this.step = step();
    return this.step;
  }
}

/** Reads what moved of each DAO and appends it together with the place that was reached. */
export async function readAndEmit(
  session: Session,
  daos: ReadonlySet<string>,
  touched: Map<string, Touched[]>,
  pin: Pin,
  moved: Partial<AppendBatch> = {},
): Promise<void> {
  const readings: Reading[] = await Promise.all(
    [...touched].map(([dao, accounts]) => readTree(session, dao, accounts, [], pin)),
  );
  const completed = [...daos].map((dao) => completion(session, dao, readings));
  await emit(session, readings, {
    ...moved,
    records: completed.flatMap(({ records }) => records),
    state: [...completed.flatMap(({ state }) => state), ...(moved.state ?? [])],
  });
}
