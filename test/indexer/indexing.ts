import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { type Indexer, type IndexerOptions, startIndexer } from '../../indexer/run.ts';
import type { ChainClient } from '../../shared/chain/chain-client.ts';
import { openEmbeddedEventLog } from '../../shared/event-log/embedded.ts';
import type { EventLog } from '../../shared/event-log/event-log.ts';
import type { LogRecord, TransactionRecord } from '../../shared/event-log/record.ts';

export const silent = pino({ level: 'silent' });

/** A log on disk that is gone after the test. */
export async function withLog(use: (log: EventLog) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'indexer-'));
  const log = await openEmbeddedEventLog(dir, 4);
  try {
    await use(log);
  } finally {
    await log.close();
    rmSync(dir, { recursive: true });
  }
}

/** An indexer that does not wait where a real one would. */
export function index(
  chain: ChainClient,
  log: EventLog,
  daos: string[],
  options: Partial<IndexerOptions> = {},
): Indexer {
  return startIndexer({
    chain,
    log,
    daos,
    logger: silent,
    fetchMetadata: async () => {
      throw new Error('no network in tests');
    },
    ...options,
    limits: { pollMs: 1, retryMs: 5, ...options.limits },
  });
}

/** Waits for what must come true; the runner's own limit ends a wait in vain. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(2);
}

/** Runs an indexer until these DAOs are followed up to the chain's head and nothing waits. */
export async function indexUpToHead(
  chain: ChainClient,
  log: EventLog,
  daos: string[],
  options: Partial<IndexerOptions> = {},
): Promise<void> {
  const indexer = index(chain, log, daos, options);
  await caughtUp(indexer, chain, daos);
  await indexer.stop();
}

export async function caughtUp(indexer: Indexer, chain: ChainClient, daos: string[]): Promise<void> {
  let over = false;
  const ended = () => (over = true);
  void indexer.done.then(ended, ended);
  await until(async () => {
    // Whoever waits for an indexer that ended learns of it from `done`.
    if (over) return true;
    const { seqno } = await chain.head();
    const status = indexer.status();
    return (
      status.head?.seqno === seqno &&
      daos.every((dao) => status.daos.some((one) => one.dao === dao && one.following && one.complete))
    );
  });
}

export async function recordsIn(log: EventLog): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (const { partition, end } of await log.ends()) {
    for await (const batch of log.scan(partition, 0, end))
      records.push(...batch.records.map(({ record }) => record));
  }
  return records;
}

/** lt of each account's transactions as they stand in the log. */
export function ltsByAccount(records: LogRecord[]): Map<string, string[]> {
  const lts = new Map<string, string[]>();
  for (const record of transactionsOf(records)) {
    lts.set(record.account, [...(lts.get(record.account) ?? []), record.lt]);
  }
  return lts;
}

export function transactionsOf(records: LogRecord[]): TransactionRecord[] {
  return records.filter((record) => record.type === 'transaction');
}
