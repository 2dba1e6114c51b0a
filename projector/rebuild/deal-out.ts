import { rm } from 'node:fs/promises';
import type { Config } from '../../shared/config.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { chunksOf, type PartitionPlan, shardOf } from './plan.ts';
import { readLog } from './read-log.ts';
import { type BlockPlace, RowsReader, RowsWriter } from './rows-file.ts';
import { WorkFolder } from './work-folder.ts';

/** Records of a partition that are to be dealt out among its shards. */
export interface DealTask {
  config: Config;
  /** Of the rebuild's files. */
  folder: string;
  plan: PartitionPlan;
  from: number;
  to: number;
}

/** A record's JSON as the log holds it, or without its raw transaction. */
export interface DealtRecord {
  offset: number;
  value: Buffer;
}

/** Offset, then value, and so on. */
type DealtRows = (number | Buffer)[];

/** What is kept in memory before it is written. */
const SECTION_BYTES = 4 * 1024 * 1024;
const ACCOUNT = Buffer.from('"account":"');
const RAW = Buffer.from('"boc":"');
const QUOTE = 0x22;

/** Copies records from the log into a file where those of one shard lie together. */
export async function dealOut({ config, plan, from, to, ...task }: DealTask): Promise<void> {
  const folder = new WorkFolder(task.folder);
  const name = nameOf(plan, from);
  const draft = folder.draft(name);
  const file = new RowsWriter<number | Buffer>(draft);
  const shards = new DealtShards(file, plan.shards);
  try {
    for await (const batch of readLog(config, plan.partition, from, to)) {
      for (const [index, value] of batch.values.entries()) shards.add(batch.from + index, value);
      if (shards.bytes >= SECTION_BYTES) shards.flush();
    }
    shards.flush();
  } finally {
    file.close();
  }
  folder.settle(draft, `${name}.rows`);
  folder.write(`${name}.json`, shards.places);
}

/** Whether a chunk was dealt out before. */
export function isDealtOut(folder: WorkFolder, plan: PartitionPlan, from: number): boolean {
  return folder.read(`${nameOf(plan, from)}.json`) !== undefined;
}

/** Frees what was dealt out, once all shards are folded. */
export async function forgetDealt(folder: WorkFolder, plan: PartitionPlan): Promise<void> {
  for (const { from } of chunksOf(plan)) await rm(folder.file(`${nameOf(plan, from)}.rows`), { force: true });
}

/** The records of a shard in one chunk. */
export function* dealtRecords(
  folder: WorkFolder,
  plan: PartitionPlan,
  from: number,
  shard: number,
): Generator<DealtRecord[]> {
  const places = folder.read(`${nameOf(plan, from)}.json`) as BlockPlace[][] | undefined;
  const file = new RowsReader<number | Buffer>(folder.file(`${nameOf(plan, from)}.rows`));
  try {
    for (const place of places?.[shard] ?? []) yield recordsOf(file.read(place));
  } finally {
    file.close();
  }
}

export function parseDealt(value: Buffer): LogRecord {
  const json = value.toString();
  return JSON.parse(value.at(-1) === QUOTE ? `${json}"}` : json);
}

class DealtShards {
  readonly places: BlockPlace[][];
  private readonly file: RowsWriter<number | Buffer>;
  private readonly rows: DealtRows[];
  bytes = 0;

  constructor(file: RowsWriter<number | Buffer>, count: number) {
    this.file = file;
    this.rows = Array.from({ length: count }, () => []);
    this.places = Array.from({ length: count }, () => []);
  }

  add(offset: number, value: Buffer): void {
    const kept = withoutRaw(value);
    const rows = this.rows[shardOf(accountOf(value), this.rows.length)] as DealtRows;
    rows.push(offset, kept);
    this.bytes += kept.length;
  }

  flush(): void {
    for (const [shard, rows] of this.rows.entries())
      if (rows.length > 0) this.places[shard]?.push(this.file.write(rows.splice(0)));
    this.bytes = 0;
  }
}

/** Found without parsing the record; whoever folds it makes sure that it came to the right shard. */
function accountOf(value: Buffer): string {
  const start = value.indexOf(ACCOUNT) + ACCOUNT.length;
  return value.toString('latin1', start, value.indexOf(QUOTE, start));
}

/** No fold reads the raw transaction, half of the record and the last of its fields: it ends where that begins. */
export function withoutRaw(value: Buffer): Buffer {
  const at = value.lastIndexOf(RAW);
  const isLast = at >= 0 && value.indexOf(QUOTE, at + RAW.length) === value.length - 2;
  return isLast ? value.subarray(0, at + RAW.length) : value;
}

function recordsOf(rows: DealtRows): DealtRecord[] {
  const records: DealtRecord[] = [];
  for (let at = 0; at < rows.length; at += 2)
    records.push({ offset: rows[at] as number, value: rows[at + 1] as Buffer });
  return records;
}

function nameOf({ partition }: PartitionPlan, from: number): string {
  return `chunk-${partition}-${from}`;
}
