import { setTimeout as pause } from 'node:timers/promises';
import { Address } from '@ton/core';
import type { Logger } from 'pino';
import type { ChainClient } from '../shared/chain/chain-client.ts';
import { FatalError, InvalidInputError } from '../shared/errors.ts';
import type { EventLog } from '../shared/event-log/event-log.ts';
import { LogAppender } from './append.ts';
import type { BackfillProgress } from './backfill.ts';
import { bindToChain } from './bind-to-chain.ts';
import { fetchMetadata, type MetadataFetcher } from './fetch-metadata.ts';
import { HeadFollower } from './follow-head.ts';
import { fetchWantedMetadata } from './jetton-metadata.ts';
import { patientChain } from './patient-chain.ts';
import { defaultLimits, type Limits, type Session } from './session.ts';
import { TrackedAccounts } from './tracked-accounts.ts';
import { manageTracking } from './tracking.ts';

export interface IndexerOptions {
  chain: ChainClient;
  log: EventLog;
  /** Addresses in any form, tracked unless a request says otherwise. */
  daos: string[];
  logger: Logger;
  onProgress?: (progress: BackfillProgress) => void;
  fetchMetadata?: MetadataFetcher;
  /** Milliseconds that only ever grow; performance.now where absent. */
  clock?: () => number;
  /** Milliseconds between polls of the head and of requests; 250 where absent. */
  pollMs?: number;
  limits?: Partial<Limits>;
}

export interface IndexerStatus {
  /** The masterchain block that the log is complete up to, and its time in unix seconds. */
  head: { seqno: number; time: number } | null;
  daos: {
    dao: string;
    complete: boolean;
    following: boolean;
    accounts: number;
    /** Accounts whose chain is known to reach further: being backfilled, or broken and tried again. */
    behind: string[];
  }[];
}

export interface Indexer {
  /** Resolves after `stop`; rejects with the FatalError that ended the indexer. */
  done: Promise<void>;
  /** Ends after the append in flight. */
  stop(): Promise<void>;
  status(): IndexerStatus;
}

/** Indexes until it is stopped or fenced; after any other failure it starts over from the log's state. */
export function startIndexer(options: IndexerOptions): Indexer {
  const configured = options.daos.map(rawAddress);
  const stopping = new AbortController();
  let tracked = new TrackedAccounts();
  const done = (async () => {
    const { retryMs } = { ...defaultLimits, ...options.limits };
    for (let wait = Math.min(500, retryMs); !stopping.signal.aborted; wait = Math.min(wait * 2, retryMs)) {
      try {
        tracked = new TrackedAccounts();
        await runSession(options, configured, tracked, stopping.signal);
      } catch (error) {
        if (error instanceof FatalError) throw error;
        if (stopping.signal.aborted) return;
        options.logger.error(
          { err: error, retryInMs: wait },
          'the indexer starts over from the state of its log',
        );
        await pause(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  })();
  done.catch(() => undefined);
  return {
    done,
    stop: async () => {
      stopping.abort();
      await done.catch(() => undefined);
    },
    status: () => statusOf(tracked),
  };
}

/** One opened writer, from its state to its end. */
async function runSession(
  options: IndexerOptions,
  configured: string[],
  tracked: TrackedAccounts,
  stopping: AbortSignal,
): Promise<void> {
  const { logger, clock = () => performance.now() } = options;
  const writer = await options.log.openWriter();
  const failed = new AbortController();
  const signal = AbortSignal.any([stopping, failed.signal]);
  const log = new LogAppender(writer, tracked);
  const limits = {
    ...defaultLimits,
    ...(options.pollMs !== undefined && { pollMs: options.pollMs }),
    ...options.limits,
  };
  try {
    for await (const entry of writer.state()) tracked.apply([entry]);
    const chain = patientChain(options.chain, signal, logger);
    await bindToChain(log, tracked, chain);
    const session: Session = {
      chain,
      log,
      tracked,
      logger,
      fetchMetadata: options.fetchMetadata ?? fetchMetadata,
      signal,
      clock,
      limits,
    };
    const follower = new HeadFollower(session);
    const work = [
      follower.run(),
      manageTracking(session, follower, {
        configured,
        requests: () => options.log.trackingRequests(),
        onProgress: options.onProgress,
      }),
      fetchWantedMetadata(session),
    ];
    // The first failure is the cause; the others only tell that they were aborted by it.
    const failures: unknown[] = [];
    const ended = work.map((task) =>
      task.catch((error: unknown) => {
        failures.push(error);
        failed.abort();
      }),
    );
    await Promise.all(ended);
    if (log.failed) throw log.failed.error;
    if (failures.length > 0 && !stopping.aborted) throw failures[0];
  } finally {
    await log.close();
  }
}

function statusOf(tracked: TrackedAccounts): IndexerStatus {
  const daos = [...tracked.daos].map(([dao, { complete, following }]) => ({
    dao,
    complete,
    following,
    accounts: tracked.of(dao).size,
    behind: tracked.pendingOf(dao).map(({ account }) => account),
  }));
  return { head: tracked.head, daos };
}

function rawAddress(address: string): string {
  try {
    return Address.parse(address).toRawString();
  } catch (error) {
    throw new InvalidInputError('INVALID_DAO_ADDRESS', `Not an address: ${address}`, error);
  }
}
