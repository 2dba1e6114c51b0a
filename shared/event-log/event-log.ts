import type { LogRecord, StoredRecord } from './record.ts';

/** The masterchain state that a partition is complete up to: block seqno and its unix time. */
export interface AsOf {
  seqno: number;
  time: number;
}

/** The next offset to be written, and the state of the chain that the records before it amount to. */
export interface PartitionEnd {
  partition: number;
  end: number;
  asOf: AsOf | null;
}

/** Records `[from, to)` of one partition in order; `asOf` is set where `to` is the partition's end. */
export interface LogBatch {
  partition: number;
  from: number;
  to: number;
  records: StoredRecord[];
  asOf: AsOf | null;
}

/** The same, unparsed: the JSON of each record, which may be kept. */
export interface RawBatch extends Omit<LogBatch, 'records'> {
  values: Buffer[];
}

export interface StateChange {
  key: string;
  /** Plain JSON; null deletes the key. */
  value: unknown;
}

/** What one append makes durable, all of it or nothing. */
export interface AppendBatch {
  records: LogRecord[];
  state: StateChange[];
  /** Moves the as-of of every partition, those without a record too. */
  asOf?: AsOf;
}

/** The one writer of the log: the indexer, with its checkpoint and tracked accounts. */
export interface LogWriter {
  /** Every state entry as it stands, in no particular order. */
  state(): AsyncIterable<{ key: string; value: unknown }>;
  /** Resolves once durable. A FatalError `WRITER_FENCED` where a later writer has taken over. */
  append(batch: AppendBatch): Promise<void>;
  close(): Promise<void>;
}

export interface FollowOptions {
  /** Followers of one group share the partitions between them. */
  group: string;
  /** Where a partition that was just assigned is to be read from. */
  checkpoint(partition: number): Promise<number>;
  /**
   * Gets the batches of a partition one after the other, also an empty one when only `asOf` moved.
   * Where it throws, the partition is read again from its checkpoint after a pause, and the other
   * partitions go on.
   */
  handle(batch: LogBatch): Promise<void>;
  /** The partition went to another follower: whatever is cached of it is stale. */
  revoked?(partition: number): void;
  /** Told of each failure of `handle` (and of the log itself) before the pause. */
  failed?(partition: number, error: unknown): void;
  maxRecords?: number;
}

export interface Subscription {
  /** Ends after the batches in flight. */
  stop(): Promise<void>;
}

/**
 * Port: the append-only log of raw facts, partitioned by DAO, and the compacted state that belongs
 * to its writer. A record that a reader sees is durable.
 */
export interface EventLog {
  readonly partitions: number;
  /** Takes the log over: every earlier writer is fenced from here on. */
  openWriter(): Promise<LogWriter>;
  ends(): Promise<PartitionEnd[]>;
  /** The records `[from, to)` of a partition; ends early where the partition does. */
  scan(partition: number, from: number, to: number): AsyncIterable<LogBatch>;
  /** As `scan`, for those who do not look into every record. */
  scanRaw(partition: number, from: number, to: number): AsyncIterable<RawBatch>;
  follow(options: FollowOptions): Promise<Subscription>;
  /** Asks whoever indexes, now or later, to track a DAO or to stop; the last request stands. */
  requestTracking(dao: string, tracked: boolean): Promise<void>;
  /** The last request for every DAO. */
  trackingRequests(): Promise<Map<string, boolean>>;
  close(): Promise<void>;
}
