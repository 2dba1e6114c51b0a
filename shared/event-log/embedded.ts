import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { keyBytes } from '../embedded/lmdb-environment.ts';
import { EmbeddedFollower } from './embedded-follower.ts';
import { LogTables } from './embedded-store.ts';
import { EmbeddedWriter } from './embedded-writer.ts';
import type {
  EventLog,
  FollowOptions,
  LogBatch,
  LogWriter,
  PartitionEnd,
  RawBatch,
  Subscription,
} from './event-log.ts';

const SCAN_RECORDS = 1000;

/** Wakes the followers of a log in this process at once, whichever instance was appended to. */
const appendsByPath = new Map<string, EventEmitter>();

/**
 * The log in an LMDB environment of its own under `dir`. Followers in other processes poll; a group
 * is one process here, since every follower gets every partition.
 */
export async function openEmbeddedEventLog(dir: string, partitions: number): Promise<EventLog> {
  const tables = new LogTables(resolve(dir), partitions);
  try {
    tables.fixPartitions();
  } catch (error) {
    await tables.env.close();
    throw error;
  }
  return new EmbeddedEventLog(tables);
}

class EmbeddedEventLog implements EventLog {
  readonly partitions: number;
  private readonly tables: LogTables;
  private readonly appends: EventEmitter;
  private readonly subscriptions = new Set<Subscription>();

  constructor(tables: LogTables) {
    this.tables = tables;
    this.partitions = tables.partitions;
    this.appends = appendsByPath.get(tables.path) ?? new EventEmitter().setMaxListeners(0);
    appendsByPath.set(tables.path, this.appends);
  }

  async openWriter(): Promise<LogWriter> {
    return new EmbeddedWriter(this.tables, () => this.appends.emit('append'));
  }

  async ends(): Promise<PartitionEnd[]> {
    return this.tables.env.read((options) =>
      Array.from({ length: this.partitions }, (_, partition) => this.tables.end(partition, options)),
    );
  }

  async *scan(partition: number, from: number, to: number): AsyncGenerator<LogBatch> {
    yield* this.batches(from, to, (offset) => {
      const { end: _, ...batch } = this.tables.readBatch(partition, offset, to, SCAN_RECORDS);
      return batch;
    });
  }

  async *scanRaw(partition: number, from: number, to: number): AsyncGenerator<RawBatch> {
    yield* this.batches(from, to, (offset) => this.tables.readRaw(partition, offset, to, SCAN_RECORDS));
  }

  private async *batches<B extends { to: number }>(
    from: number,
    to: number,
    read: (offset: number) => B,
  ): AsyncGenerator<B> {
    for (let offset = from; offset < to; ) {
      const batch = read(offset);
      if (batch.to === offset) return;
      yield batch;
      offset = batch.to;
      // Whoever only folds in memory lets nothing else run between two batches.
      await turn();
    }
  }

  async follow(options: FollowOptions): Promise<Subscription> {
    const follower = new EmbeddedFollower(this.tables, this.appends, options);
    this.subscriptions.add(follower);
    return follower;
  }

  async requestTracking(dao: string, tracked: boolean): Promise<void> {
    const { env, tracking } = this.tables;
    const key = keyBytes('DAO address', dao);
    env.write(() => tracking.put(key, Buffer.from(String(tracked))));
  }

  async trackingRequests(): Promise<Map<string, boolean>> {
    const { env, tracking } = this.tables;
    return env.read(
      (options) =>
        new Map(
          tracking.range(options).map(({ key, value }) => [key.toString(), value.toString() === 'true']),
        ),
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    await this.tables.env.close();
  }
}
