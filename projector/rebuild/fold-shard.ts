import type { Config } from '../../shared/config.ts';
import { FatalError } from '../../shared/errors.ts';
import type { StoredRecord } from '../../shared/event-log/record.ts';
import type { AccountDraft } from '../account-draft.ts';
import { messageOf } from '../dead-letters.ts';
import { AccountsFold } from '../fold-accounts.ts';
import { SightingCounts, type Spotted } from '../unknown.ts';
import { type DealtRecord, dealtRecords, parseDealt } from './deal-out.ts';
import { sizeOfRow } from './document-rows.ts';
import { chunksOf, type PartitionPlan, shardOf } from './plan.ts';
import { readLog } from './read-log.ts';
import { type Run, writeRun } from './runs.ts';
import { SaidParts } from './said-parts.ts';
import { WorkFolder } from './work-folder.ts';

/** A shard that is to be folded from the first record of its partition to the last. */
export interface ShardTask {
  config: Config;
  /** Of the rebuild's files. */
  folder: string;
  plan: PartitionPlan;
  shard: number;
  /** Those to fold where the documents of others are there already; undefined for all. */
  daos: string[] | undefined;
  /** About what parts may take in memory before they are written. */
  partsBytes: number;
}

export interface FoldedShard {
  /** Folded or, where their DAO is not among those to fold, looked at. */
  records: number;
  /** The earlier ones first. */
  runs: Run[];
  parked: { offset: number; message: string }[];
  /** What nobody reads in the records: rows of `Spotted`. */
  spotted: Run[];
}

/** About what a name takes in memory. */
const SPOTTED_BYTES = 500;

/** Folds the accounts of a shard and writes what they say in documents. */
export async function foldShard(task: ShardTask): Promise<FoldedShard> {
  const folder = new WorkFolder(task.folder);
  const fold = new ShardFold(task, folder);
  for await (const records of recordsOf(task, folder)) {
    for (const { offset, value } of records) fold.take(offset, value);
    if (fold.bytes >= task.partsBytes) fold.write();
  }
  const folded = fold.finish();
  folder.write(nameOf(task.plan, task.shard), folded);
  return folded;
}

/** Undefined where it was not folded before. */
export function foldedShard(folder: WorkFolder, plan: PartitionPlan, shard: number): FoldedShard | undefined {
  return folder.read(nameOf(plan, shard)) as FoldedShard | undefined;
}

/** Whether all shards of a partition were folded. */
export function isFolded(folder: WorkFolder, plan: PartitionPlan): boolean {
  for (let shard = 0; shard < plan.shards; shard++) if (!foldedShard(folder, plan, shard)) return false;
  return true;
}

/** In the order of the log: from the log itself where nothing was dealt out. */
async function* recordsOf(
  { config, plan, shard }: ShardTask,
  folder: WorkFolder,
): AsyncGenerator<DealtRecord[]> {
  const { partition, to, shards } = plan;
  if (shards === 1)
    for await (const { from, values } of readLog(config, partition, 0, to))
      yield values.map((value, index) => ({ offset: from + index, value }));
  else for (const { from } of chunksOf(plan)) yield* dealtRecords(folder, plan, from, shard);
}

class ShardFold {
  private readonly task: ShardTask;
  private readonly folder: WorkFolder;
  private readonly counts = new SightingCounts();
  private readonly parts = new SaidParts();
  private readonly fold = new AccountsFold(
    (change, account, stored) => this.parts.say(change, account, stored),
    (sighting, offset) => this.counts.add(sighting, offset),
  );
  private readonly runs: Run[] = [];
  private readonly spotted: Run[] = [];
  private records = 0;
  private taken = 0;

  constructor(task: ShardTask, folder: WorkFolder) {
    this.task = task;
    this.folder = folder;
  }

  /** About what parts and dead letters take in memory. */
  get bytes(): number {
    return this.taken + this.parts.bytes + SPOTTED_BYTES * this.counts.size;
  }

  /** A record as it was dealt out: parsed here, one by one, so that it is soon forgotten. */
  take(offset: number, value: Buffer): void {
    const { plan, shard, daos } = this.task;
    const { partition } = plan;
    const stored: StoredRecord = { partition, offset, record: parseDealt(value) };
    const { record } = stored;
    if (shardOf(record.account, plan.shards) !== shard) throw astray(stored);
    this.records++;
    // The tally is of the whole partition: it cannot be taken apart by DAO.
    if (daos && !daos.includes(record.dao)) return this.fold.sight(stored);
    this.fold.fold(stored);
    this.taken += value.length;
  }

  /** Writes what was said so far; the accounts stay. */
  write(accounts: ReadonlyMap<string, AccountDraft> = new Map()): void {
    const { plan, shard } = this.task;
    const file = `run-${plan.partition}-${shard}-${this.runs.length}.rows`;
    const rows = this.parts.rows([...this.fold.letters.values()], accounts);
    this.runs.push(writeRun(this.folder, file, rows, sizeOfRow));
    this.parts.clear();
    this.fold.letters.clear();
    this.taken = 0;
    if (this.counts.size === 0) return;
    const counts = `spotted-${plan.partition}-${shard}-${this.spotted.length}.rows`;
    this.spotted.push(writeRun(this.folder, counts, this.counts.take(), sizeOfSpotted));
  }

  finish(): FoldedShard {
    this.write(this.fold.accounts);
    const parked = this.fold.parked.map(({ offset, error }) => ({ offset, message: messageOf(error) }));
    return { records: this.records, runs: this.runs, parked, spotted: this.spotted };
  }
}

export function sizeOfSpotted([name, , , example]: Spotted): number {
  return name.length + example.length;
}

function nameOf({ partition }: PartitionPlan, shard: number): string {
  return `shard-${partition}-${shard}.json`;
}

/** The account is read twice, once without parsing: were the two not the same, its chain would be torn apart. */
function astray({ partition, offset }: StoredRecord): FatalError {
  return new FatalError(
    'LOG_FORMAT',
    `The record at offset ${offset} of partition ${partition} does not begin as those that this program writes`,
  );
}
