import { readFileSync } from 'node:fs';
import { Cell, loadTransaction } from '@ton/core';
import { pino } from 'pino';
import { parseDealt, withoutRaw } from '../../projector/rebuild/deal-out.ts';
import { rebuild } from '../../projector/rebuild/rebuild.ts';
import type { RebuildThreads } from '../../projector/rebuild/rebuild-threads.ts';
import { readConfig } from '../../shared/config.ts';
import { eventsOf } from '../../shared/contracts/decode-record.ts';
import { LmdbEnvironment } from '../../shared/embedded/lmdb-environment.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { openStores, withStores } from '../../shared/stores.ts';
import { contributions } from './contributions.ts';
import { withRawTransaction } from './raw-transaction.ts';
import { temporaryFolder } from './temporary-folder.ts';

const silent = pino({ level: 'silent' });
const APPENDED_AT_ONCE = 1000;
const WRITTEN_AT_ONCE = 10_000;

/** A log in a folder of its own. */
export interface FilledLog {
  dir: string;
  records: number;
  /** Of the records. */
  transactions: number;
}

export interface Spent {
  wallMicroseconds: number;
  cpuMicroseconds: number;
  /** The most of what is no page of a mapped file, in MB, where the system tells. */
  anonymousMb: number;
}

const configOf = ({ dir }: FilledLog) =>
  readConfig({ DATA_DIR: dir, LOG_PARTITIONS: '1', LOG_LEVEL: 'silent' });

/** Records of contributions; with `raw` each carries a transaction that can be parsed. */
export async function fillLog(count: number, raw: boolean): Promise<FilledLog> {
  const filled = { dir: temporaryFolder('rebuilding'), records: count, transactions: 0 };
  await withStores(configOf(filled), async ({ log }) => {
    const writer = await log.openWriter();
    let batch: LogRecord[] = [];
    const flush = () => writer.append({ records: batch.splice(0), state: [], asOf: { seqno: 1, time: 1 } });
    for (const record of contributions(count)) {
      if (record.type === 'transaction') filled.transactions++;
      batch.push(raw ? withRawTransaction(record) : record);
      if (batch.length === APPENDED_AT_ONCE) await flush();
    }
    await flush();
    await writer.close();
    batch = [];
  });
  return filled;
}

/** A generation from the log, by threads that are at work already; it is dropped again. */
export function timeRebuild(filled: FilledLog, threads: RebuildThreads): Promise<Spent> {
  const config = configOf(filled);
  return withStores(config, async ({ log, store }) => {
    let id = '';
    const spent = await measured(async () => {
      const { generation } = await rebuild({ log, store, config, logger: silent, threads });
      id = generation.id;
    });
    await store.drop(id);
    return spent;
  });
}

/** What a rebuild cannot do without: read and decode the log, write each document and list entry once, in order. */
export class RebuildFloor {
  private readonly log: FilledLog;
  private readonly rows: [key: Buffer, value: Buffer][];

  private constructor(log: FilledLog, rows: [Buffer, Buffer][]) {
    this.log = log;
    this.rows = rows;
  }

  static async of(filled: FilledLog, threads: RebuildThreads): Promise<RebuildFloor> {
    const config = configOf(filled);
    const rows: [Buffer, Buffer][] = [];
    await withStores(config, async ({ log, store }) => {
      const { generation } = await rebuild({ log, store, config, logger: silent, threads });
      const writer = await store.openWriter(generation.id);
      for await (const { model, key, body, state, entries } of writer.documents()) {
        rows.push([Buffer.from(`${model}\0${key}`), Buffer.concat([body ?? EMPTY, state ?? EMPTY])]);
        for (const { list, sortKey } of entries)
          rows.push([Buffer.from(`\x7f${list}\0${sortKey}`), body ?? EMPTY]);
      }
      await store.drop(generation.id);
    });
    rows.sort(([a], [b]) => a.compare(b));
    return new RebuildFloor(filled, rows);
  }

  async time(): Promise<Spent> {
    const stores = await openStores(configOf(this.log));
    const environment = new LmdbEnvironment(temporaryFolder('floor'));
    const table = environment.table('rows');
    const spent = await measured(async () => {
      let events = 0;
      for await (const { values } of stores.log.scanRaw(0, 0, this.log.records))
        for (const value of values) {
          const record = parseDealt(withoutRaw(value));
          if (record.type === 'transaction') events += eventsOf(record).length;
        }
      if (events === 0) throw new Error('the transactions could not be decoded');
      for (let from = 0; from < this.rows.length; from += WRITTEN_AT_ONCE)
        environment.write(() => {
          for (const [key, value] of this.rows.slice(from, from + WRITTEN_AT_ONCE)) table.put(key, value);
        });
    });
    await environment.close();
    await stores.close();
    return spent;
  }
}

const EMPTY = Buffer.alloc(0);

/** Parses the raw transactions of the log with @ton/core, and does nothing else. */
export function timeParsing(filled: FilledLog): Promise<Spent> {
  return withStores(configOf(filled), async ({ log }) => {
    const bocs: string[] = [];
    for await (const { records } of log.scan(0, 0, filled.records))
      for (const { record } of records) if (record.type === 'transaction') bocs.push(record.boc);
    return measured(async () => {
      for (const boc of bocs) loadTransaction(Cell.fromBase64(boc).beginParse());
    });
  });
}

async function measured(action: () => Promise<void>): Promise<Spent> {
  let anonymousMb = anonymous();
  const looking = setInterval(() => (anonymousMb = Math.max(anonymousMb, anonymous())), 20);
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  await action();
  const { user, system } = process.cpuUsage(cpu);
  const wallMicroseconds = (performance.now() - wall) * 1000;
  clearInterval(looking);
  return {
    wallMicroseconds,
    cpuMicroseconds: user + system,
    anonymousMb: Math.max(anonymousMb, anonymous()),
  };
}

function anonymous(): number {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return Number.NaN;
  }
}
