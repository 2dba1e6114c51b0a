import type { Logger } from 'pino';
import type { ChainClient } from '../shared/chain/chain-client.ts';
import type { LogAppender } from './append.ts';
import type { MetadataFetcher } from './fetch-metadata.ts';
import type { TrackedAccounts } from './tracked-accounts.ts';

/** What one run of the indexer on one opened writer works with. */
export interface Session {
  chain: ChainClient;
  log: LogAppender;
  tracked: TrackedAccounts;
  logger: Logger;
  fetchMetadata: MetadataFetcher;
  /** Aborted when the indexer stops or the writer failed. */
  signal: AbortSignal;
  /** Milliseconds that only ever grow. */
  clock: () => number;
  limits: Limits;
}

export interface Limits {
  /** Accounts of a DAO that are read at a time. */
  accountsAtOnce: number;
  /** Records in one append. */
  recordsPerAppend: number;
  /** Bytes of records in one append, roughly. */
  bytesPerAppend: number;
  /** Bytes of transactions that one reading keeps in memory, roughly; what is beyond is fetched again. */
  bytesHeld: number;
  /** Masterchain blocks in one append when lagging. */
  blocksPerAppend: number;
  /** A lag beyond which accounts are read from their chains instead of from blocks; in blocks. */
  blocksToFollow: number;
  /** Milliseconds between polls of the head and of the requests when there is nothing to do. */
  pollMs: number;
  /** Milliseconds before a stopped account, or a DAO that could not be started, is tried again. */
  retryMs: number;
}

export const defaultLimits: Limits = {
  accountsAtOnce: 8,
  recordsPerAppend: 500,
  bytesPerAppend: 4 << 20,
  bytesHeld: 256 << 20,
  blocksPerAppend: 32,
  blocksToFollow: 5000,
  pollMs: 250,
  retryMs: 30_000,
};
