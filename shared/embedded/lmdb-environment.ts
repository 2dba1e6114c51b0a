import { mkdirSync } from 'node:fs';
import { open } from 'lmdb';
import { InvalidInputError, RetryableError } from '../errors.ts';

/** LMDB's limit in lmdb-js for the default page size. */
const MAX_KEY_BYTES = 1978;

/** A consistent state of an environment; `done` frees it, nothing may be read through it afterwards. */
export interface Snapshot {
  done(): void;
}

/** One key space of an environment. Inside `write` every call sees the transaction, whatever `transaction` says. */
export interface Table {
  /** A copy that may be kept. */
  get(key: Uint8Array, options?: { transaction: Snapshot }): Buffer | undefined;
  /** lmdb-js's own buffer: valid until the next read of any table, and as long as its `length`. */
  getBinaryFast(key: Uint8Array, options?: { transaction: Snapshot }): Buffer | undefined;
  getRange(options: {
    start?: Uint8Array;
    end?: Uint8Array;
    exclusiveStart?: boolean;
    limit?: number;
    transaction?: Snapshot;
  }): Iterable<{ key: Buffer; value: Buffer }>;
  putSync(key: Uint8Array, value: Uint8Array): void;
  removeSync(key: Uint8Array): boolean;
}

/** What is used of lmdb's root database; its own types leave out some options of the reads. */
interface Root {
  openDB(name: string, options: object): Table;
  transactionSync<T>(action: () => T): T;
  resetReadTxn(): void;
  useReadTransaction(): Snapshot;
  readerCheck(): number;
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

  constructor(path: string) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const options = {
      path,
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
    return this.root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' });
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
  read<T>(action: (options: { transaction: Snapshot }) => T): T {
    const transaction = this.snapshot();
    try {
      return action({ transaction });
    } finally {
      transaction.done();
    }
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
