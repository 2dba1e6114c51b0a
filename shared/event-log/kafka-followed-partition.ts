import { setImmediate as turn } from 'node:timers/promises';
import { FatalError } from '../errors.ts';
import type { AsOf, FollowOptions } from './event-log.ts';
import type { LogEnds, PartitionHint } from './kafka-ends.ts';
import { type PartitionReader, stalled } from './kafka-partition.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
const MAX_RECORDS = 1000;

export interface FollowedPartitionOptions {
  partition: number;
  follow: FollowOptions;
  reader: PartitionReader;
  /** The newest ends that the follower has heard of; null where it has not heard yet. */
  heard: () => LogEnds | null;
  /** The ends as they stand. */
  current: () => Promise<LogEnds>;
  /** Told after each batch. */
  handled: () => void;
  /** What is known to be committed and is not shown for so long counts as a failure. */
  stallMs: number;
}

/** Hands over one partition's batches in order, from its checkpoint, until it is stopped. */
export class FollowedPartition {
  private readonly options: FollowedPartitionOptions;
  private readonly running: Promise<void>;
  private stopped = false;
  /** The batch in flight, which never rejects. */
  private handling: Promise<unknown> = Promise.resolve();
  private wakeIdle: (() => void) | null = null;
  private endPause: (() => void) | null = null;

  constructor(options: FollowedPartitionOptions, after: Promise<void>) {
    this.options = options;
    this.running = after.then(() => this.run());
  }

  /** The ends moved. */
  wake(): void {
    this.wakeIdle?.();
  }

  /** Ends after the batch in flight; a fetch that is on its way is not waited for. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wakeIdle?.();
    this.endPause?.();
    await Promise.race([this.running, this.handling]);
    await this.handling;
  }

  private async run(): Promise<void> {
    const { partition, follow, reader } = this.options;
    let pause = FIRST_PAUSE_MS;
    while (!this.stopped) {
      try {
        await this.deliver(await follow.checkpoint(partition), () => {
          pause = FIRST_PAUSE_MS;
        });
      } catch (error) {
        if (this.stopped) return;
        reader.forget();
        follow.failed?.(partition, error);
        await this.pause(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Hands over batch after batch until something throws or `stop` is called. */
  private async deliver(from: number, handled: () => void): Promise<void> {
    const { partition, heard, stallMs } = this.options;
    // Null at first: whether the follower knows the as-of that stands is not known, so it is told.
    let asOf: AsOf | null = null;
    let missingSince: number | null = null;
    while (!this.stopped) {
      const ends = heard();
      const hint = ends?.partitions[partition];
      if (!ends || !hint || (from === hint.end && sameAsOf(ends.asOf, asOf)) || from > hint.end) {
        if (ends) await this.refuseBeyond(from, hint);
        await this.idle(ends);
        continue;
      }
      const batch = await this.read(from, hint, ends);
      if (this.stopped) return;
      if (batch.to === from && from < hint.end) {
        missingSince ??= performance.now();
        if (performance.now() - missingSince > stallMs) throw stalled(partition, from, stallMs);
        continue;
      }
      missingSince = null;
      await this.handle(() => this.options.follow.handle(batch));
      handled();
      from = batch.to;
      asOf = batch.asOf;
      // A backlog that is fetched already would keep the process from all else.
      await turn();
    }
  }

  private async read(from: number, hint: PartitionHint, ends: LogEnds) {
    const { partition, reader, follow } = this.options;
    const records = await reader.read(from, hint.end, hint, follow.maxRecords ?? MAX_RECORDS);
    const to = from + records.length;
    return { partition, from, to, records, asOf: to === hint.end ? ends.asOf : null };
  }

  private async handle(work: () => Promise<void>): Promise<void> {
    const handling = work();
    this.handling = handling.catch(() => undefined);
    await handling;
    this.options.handled();
  }

  /** A checkpoint may be ahead of what this process has heard, but not of the log. */
  private async refuseBeyond(from: number, hint: PartitionHint | undefined): Promise<void> {
    const { partition, current } = this.options;
    if (!hint || from <= hint.end) return;
    const end = (await current()).partitions[partition]?.end ?? 0;
    if (from <= end) return;
    throw new FatalError(
      'CHECKPOINT_BEYOND_LOG',
      `Partition ${partition} was folded up to offset ${from}, but the log ends at ${end}: the log and the read ` +
        'models do not belong together; check KAFKA_PREFIX, restore both from one backup, or rebuild',
    );
  }

  private idle(seen: LogEnds | null): Promise<void> {
    if (this.stopped || this.options.heard() !== seen) return Promise.resolve();
    return new Promise((resolve) => {
      this.wakeIdle = resolve;
    });
  }

  private pause(ms: number): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.endPause = end;
    });
  }
}

function sameAsOf(a: AsOf | null, b: AsOf | null): boolean {
  return a?.seqno === b?.seqno && a?.time === b?.time;
}
