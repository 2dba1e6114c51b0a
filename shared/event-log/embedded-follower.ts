import type { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { FatalError } from '../errors.ts';
import type { LogTables } from './embedded-store.ts';
import type { AsOf, FollowOptions, LogBatch, Subscription } from './event-log.ts';

/** How soon the appends of another process are seen. */
const POLL_MS = 50;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
const MAX_RECORDS = 1000;

/** Reads every partition by a loop of its own, each in order. */
export class EmbeddedFollower implements Subscription {
  private readonly tables: LogTables;
  private readonly appends: EventEmitter;
  private readonly options: FollowOptions;
  private readonly loops: Promise<void>[];
  /** Partitions that are read to their end, by the function that wakes them. */
  private readonly idle = new Set<() => void>();
  /** Partitions that wait after a failure; an append does not shorten that. */
  private readonly paused = new Set<() => void>();
  private readonly appended = () => wake(this.idle);
  private stopped = false;

  constructor(tables: LogTables, appends: EventEmitter, options: FollowOptions) {
    this.tables = tables;
    this.appends = appends;
    this.options = options;
    appends.on('append', this.appended);
    this.loops = Array.from({ length: tables.partitions }, (_, partition) => this.follow(partition));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.appends.off('append', this.appended);
    wake(this.idle);
    wake(this.paused);
    await Promise.all(this.loops);
  }

  private async follow(partition: number): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!this.stopped) {
      try {
        const from = await this.options.checkpoint(partition);
        await this.deliver(partition, from, () => {
          pause = FIRST_PAUSE_MS;
        });
      } catch (error) {
        this.options.failed?.(partition, error);
        await this.wait(this.paused, pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Hands over batch after batch until something throws or `stop` is called. */
  private async deliver(partition: number, from: number, handled: () => void): Promise<void> {
    // Null at first: whether the follower knows the as-of that stands is not known, so it is told.
    let asOf: AsOf | null = null;
    for (;;) {
      // Reads and embedded commits wait for nothing: without a turn a backlog would keep the process from all else.
      await turn();
      if (this.stopped) return;
      const batch = this.read(partition, from);
      if (batch.records.length === 0 && sameAsOf(batch.asOf, asOf)) {
        await this.wait(this.idle, POLL_MS);
        continue;
      }
      await this.options.handle(batch);
      handled();
      from = batch.to;
      asOf = batch.asOf;
    }
  }

  private read(partition: number, from: number): LogBatch {
    const maxRecords = this.options.maxRecords ?? MAX_RECORDS;
    const { end, ...batch } = this.tables.readBatch(partition, from, Number.MAX_SAFE_INTEGER, maxRecords);
    if (from <= end) return batch;
    throw new FatalError(
      'CHECKPOINT_BEYOND_LOG',
      `Partition ${partition} was folded up to offset ${from}, but the log in ${this.tables.path} ends at ${end}: ` +
        'the log and the read models are not of one data folder; restore both from one backup, or rebuild',
    );
  }

  private wait(among: Set<() => void>, ms: number): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        among.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      among.add(end);
    });
  }
}

function wake(waiting: Set<() => void>): void {
  for (const end of waiting) end();
}

function sameAsOf(a: AsOf | null, b: AsOf | null): boolean {
  return a?.seqno === b?.seqno && a?.time === b?.time;
}
