import { mkdirSync } from 'node:fs';
import { open } from 'lmdb';
import { InvalidInputError, RetryableError } from '../errors.ts';

/** LMDB's limit in lmdb-js for the default page size. */
const MAX_KEY_BYTES = 1978;

/** A consistent state of an environment; `done` frees it, nothing may be read through it afterwards. */
export interface Snapshot {
  done(): void;
}

/** What is used of an lmdb database; its own types leave out the options of the reads. */
interface Database {
  get(key: Uint8Array, options?: ReadOptions): Buffer | undefined;
  getBinaryFast(key: Uint8Array, options?: ReadOptions): Uint8Array | undefined;
  getRange(options: RangeOptions): Iterable<{ key: Buffer; value: Buffer }>;
  putSync(key: Uint8Array, value: Uint8Array): void;
  removeSync(key: Uint8Array): boolean;
}

/** Passed to the reads of a snapshot. Inside `write` every read is of the transaction, whatever is passed. */
export interface ReadOptions {
  transaction: Snapshot;
}

export interface RangeOptions extends Partial<ReadOptions> {
  start?: Uint8Array;
  end?: Uint8Array;
  exclusiveStart?: boolean;
  limit?: number;
}

/** One key space of an environment. */
export class Table {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** A copy that may be kept. */
  get(key: Uint8Array, options?: ReadOptions): Buffer | undefined {
    return this.database.get(key, options);
  }

  /**
   * The value in lmdb-js's own buffer, good until the next read of any table. The buffer is larger
   * than its `length`, which lmdb-js sets: slices need an end.
   */
  peek(key: Uint8Array, options?: ReadOptions): Buffer | undefined {
    const found = this.database.getBinaryFast(key, options);
    // From 16 MB on it is a plain array over the map.
    if (found === undefined || Buffer.isBuffer(found)) return found;
    return Buffer.from(found.buffer, found.byteOffset, found.byteLength);
  }

  has(key: Uint8Array, options?: ReadOptions): boolean {
    return this.database.getBinaryFast(key, options) !== undefined;
  }

  /** In the order of the keys, all of it read at once: no cursor outlives the call. */
  range(options: RangeOptions): { key: Buffer; value: Buffer }[] {
    return [...this.database.getRange(options)];
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.database.putSync(key, value);
  }

  remove(key: Uint8Array): void {
    this.database.removeSync(key);
  }
}

/** And of the root database of an environment. */
interface Root {
  openDB(name: string, options: object): Database;
  transactionSync<T>(action: () => T): T;
  resetReadTxn(): void;
  useReadTransaction(): Snapshot;
  readerCheck(): number;
  backup(path: string, compact: boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * One LMDB environment in a folder of its own, opened so that **visible implies durable**: without
 * `overlappingSync` (lmdb-js's default on Unix) a commit is flushed before the meta page that shows
 * it to readers is written, so no reader ever sees what a power cut would take back.
 */
export class LmdbEnvironment {
  private readonly root: Root;
  private commits = 0;

  /** `pageSize` counts when the environment is created; larger pages suit larger values. */
  constructor(path: string, pageSize?: number) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const options = {
      path,
      ...(pageSize === undefined ? {} : { pageSize }),
      noSubdir: false,
      overlappingSync: false,
      encoding: 'binary' as const,
      keyEncoding: 'binary' as const,
      // Address space, not memory or disk: the map need not move while readers are at work.
      mapSize: 2 ** 36,
      maxDbs: 16,
      maxReaders: 1024,
      permissionsMode: 0o600,
    };
    this.root = open(options);
  }

  table(name: string): Table {
    return new Table(this.root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' }));
  }

  /**
   * One write transaction, flushed to the disk when this returns; nothing of it is left where
   * `action` throws (lmdb-js's asynchronous `transaction` would commit what was written before).
   */
  write<T>(action: () => T): T {
    // The pages that a killed reader still seems to use are not freed before its slot is.
    if (this.commits++ % 256 === 0) this.root.readerCheck();
    try {
      return this.root.transactionSync(action);
    } catch (error) {
      // lmdb's own failures carry the number of LMDB or of the system: disk full, input or output error.
      if (error instanceof Error && 'code' in error && typeof error.code === 'number') {
        throw new RetryableError('STORE_WRITE_FAILED', `Nothing was written: ${error.message}`, error);
      }
      throw error;
    }
  }

  /**
   * The state as it stands now. lmdb-js shares one read transaction among all reads of an event
   * turn, and by it would hide what another process has committed since; hence the reset.
   */
  snapshot(): Snapshot {
    this.root.resetReadTxn();
    return this.root.useReadTransaction();
  }

  /** Runs `action`, which must not wait, on the state as it stands now. */
  read<T>(action: (options: ReadOptions) => T): T {
    const transaction = this.snapshot();
    try {
      return action({ transaction });
    } finally {
      transaction.done();
    }
  }

  /** Copies the environment, as it stands at one moment, into an empty folder. */
  backup(path: string): Promise<void> {
    return this.root.backup(path, true);
  }

  /** No snapshot may be open. */
  close(): Promise<void> {
    return this.root.close();
  }
}

/** The bytes of a key, refused before anything is written where LMDB could not hold them. */
export function keyBytes(what: string, key: string): Buffer {
  const bytes = Buffer.from(key, 'utf8');
  if (bytes.length > 0 && bytes.length <= MAX_KEY_BYTES) return bytes;
  throw new InvalidInputError(
    'KEY_SIZE',
    `A ${what} of ${bytes.length} bytes: LMDB holds keys of 1 to ${MAX_KEY_BYTES} bytes (it begins "${key.slice(0, 80)}")`,
  );
}

export function uint32Key(value: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(value);
  return key;
}
