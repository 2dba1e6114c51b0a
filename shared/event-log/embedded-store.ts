import { join } from 'node:path';
import {
  keyBytes,
  LmdbEnvironment,
  type ReadOptions,
  type Table,
  uint32Key,
} from '../embedded/lmdb-environment.ts';
import { FatalError, InvalidInputError } from '../errors.ts';
import type { AsOf, LogBatch, PartitionEnd, RawBatch } from './event-log.ts';
import type { LogRecord } from './record.ts';

const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** A record takes about 2 KB, which LMDB would give a 4 KB page of its own: a third more disk, and time. */
const PAGE_BYTES = 16 * 1024;
const EPOCH = Buffer.from('epoch');
const PARTITIONS = Buffer.from('partitions');

/** The tables of the log in LMDB, and what is read of them in one step. */
export class LogTables {
  readonly env: LmdbEnvironment;
  readonly path: string;
  readonly partitions: number;
  /** [partition, offset] -> the record's JSON. */
  readonly records: Table;
  readonly state: Table;
  readonly tracking: Table;
  private readonly ends: Table;
  private readonly meta: Table;

  constructor(dir: string, partitions: number) {
    if (!Number.isInteger(partitions) || partitions < 1) {
      throw new InvalidInputError('LOG_PARTITIONS', `The log needs one partition or more, not ${partitions}`);
    }
    this.path = join(dir, 'log');
    this.partitions = partitions;
    this.env = new LmdbEnvironment(this.path, PAGE_BYTES);
    this.records = this.env.table('records');
    this.state = this.env.table('state');
    this.tracking = this.env.table('tracking');
    this.ends = this.env.table('ends');
    this.meta = this.env.table('meta');
  }

  /** A record's partition follows from the count, which therefore never changes. */
  fixPartitions(): void {
    const found = this.env.write(() => {
      const stored = this.meta.get(PARTITIONS);
      if (stored === undefined) this.meta.put(PARTITIONS, Buffer.from(String(this.partitions)));
      return stored === undefined ? this.partitions : Number(stored.toString());
    });
    if (found === this.partitions) return;
    throw new FatalError(
      'LOG_PARTITIONS_FIXED',
      `The log in ${this.path} was created with ${found} partitions, and ${this.partitions} are configured: ` +
        `configure ${found}, or start with an empty data folder`,
    );
  }

  /** Inside a write transaction. */
  get epoch(): number {
    return Number(this.meta.get(EPOCH)?.toString() ?? '0');
  }

  set epoch(epoch: number) {
    this.meta.put(EPOCH, Buffer.from(String(epoch)));
  }

  end(partition: number, options?: ReadOptions): PartitionEnd {
    const stored = this.ends.get(uint32Key(partition), options);
    if (stored === undefined) return { partition, end: 0, asOf: null };
    const { end, asOf }: { end: number; asOf: AsOf | null } = JSON.parse(stored.toString());
    return { partition, end, asOf };
  }

  putEnd({ partition, end, asOf }: PartitionEnd): void {
    this.ends.put(uint32Key(partition), Buffer.from(JSON.stringify({ end, asOf })));
  }

  /** The records `[from, to)`, no more than `maxRecords` and about 4 MB of them, and the end as it stood. */
  readBatch(partition: number, from: number, to: number, maxRecords: number): LogBatch & { end: number } {
    const { values, ...batch } = this.read({ partition, from, to, maxRecords }, (stored, offset) => {
      // `toString` without a range would trust the buffer's size instead of its length.
      const record: LogRecord = JSON.parse(stored.toString('utf8', 0, stored.length));
      return { partition, offset, record };
    });
    return { ...batch, records: values };
  }

  /** The same, unparsed. */
  readRaw(partition: number, from: number, to: number, maxRecords: number): RawBatch {
    const { end: _, ...batch } = this.read({ partition, from, to, maxRecords }, (stored) =>
      Buffer.from(stored.subarray(0, stored.length)),
    );
    return batch;
  }

  /** `take` must not keep what it is given. */
  private read<T>(
    { partition, from, to, maxRecords }: { partition: number; from: number; to: number; maxRecords: number },
    take: (stored: Buffer, offset: number) => T,
  ) {
    return this.env.read((options) => {
      const { end, asOf } = this.end(partition, options);
      const limit = Math.min(to, end, from + maxRecords);
      const values: T[] = [];
      let offset = from;
      for (let bytes = 0; offset < limit && bytes < MAX_BATCH_BYTES; offset++) {
        const stored = this.records.peek(recordKey(partition, offset), options);
        if (stored === undefined) throw missing(this.path, partition, offset);
        bytes += stored.length;
        values.push(take(stored, offset));
      }
      return { partition, from, to: offset, values, asOf: offset === end ? asOf : null, end };
    });
  }
}

export function recordKey(partition: number, offset: number): Buffer {
  const key = Buffer.allocUnsafe(10);
  key.writeUInt32BE(partition, 0);
  key.writeUIntBE(offset, 4, 6);
  return key;
}

/** Key and value of a state entry as stored, null for one that goes. */
export function stateEntry(key: string, value: unknown): { key: Buffer; value: Buffer | null } {
  const json = value === null ? null : JSON.stringify(value);
  if (json === undefined) {
    throw new InvalidInputError('STATE_NOT_JSON', `The value of the state entry "${key}" is not JSON`);
  }
  return { key: keyBytes('state key', key), value: json === null ? null : Buffer.from(json) };
}

function missing(path: string, partition: number, offset: number): FatalError {
  return new FatalError(
    'LOG_DAMAGED',
    `The log in ${path} lacks offset ${offset} of partition ${partition}: restore the data folder from a backup`,
  );
}
