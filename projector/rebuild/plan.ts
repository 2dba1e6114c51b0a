import { existsSync } from 'node:fs';
import { uptime } from 'node:os';
import type { AsOf, PartitionEnd } from '../../shared/event-log/event-log.ts';
import type { WorkFolder } from './work-folder.ts';

/** What a rebuild has set out to do; an attempt that resumes it goes by the same. */
export interface RebuildPlan {
  format: number;
  /** Milliseconds since 1970. */
  madeAt: number;
  /** Names the folder, within that of the generation, of what has been done so far. */
  id: string;
  /** A part was to be rebuilt, and the rest copied: such a plan is not resumed. */
  scoped: boolean;
  partitions: PartitionPlan[];
}

/** One partition of the log, from its first record up to `to`. */
export interface PartitionPlan {
  partition: number;
  to: number;
  asOf: AsOf | null;
  /** Its accounts are dealt out among so many shards, each of which is folded in memory. */
  shards: number;
  /** Records that are dealt out as one task. */
  chunkRecords: number;
}

/** Raised when the work folders of before cannot be gone on from. */
const FORMAT = 1;
const NAME = 'plan.json';

/** A shard of the shortest logs has so many records, so that all cores have something to do. */
const LEAST_RECORDS = 8 * 1024;
/** What a shard folds fits in memory; files of many more shards would be read in small pieces. */
const MOST_RECORDS = 32 * 1024;
const AIMED_SHARDS = 64;

/**
 * Undefined where there is none that this version goes by, or its folder is gone. Nor is one gone by that
 * was made before the machine was started: nobody has waited for the files to be on its disk.
 */
export function readPlan(folder: WorkFolder): RebuildPlan | undefined {
  const plan = folder.read(NAME) as RebuildPlan | undefined;
  const startedAt = Date.now() - uptime() * 1000;
  if (plan?.format !== FORMAT || plan.madeAt <= startedAt) return undefined;
  return existsSync(folder.within(plan.id).path) ? plan : undefined;
}

export function writePlan(folder: WorkFolder, plan: Omit<RebuildPlan, 'format' | 'madeAt'>): RebuildPlan {
  const made: RebuildPlan = { format: FORMAT, madeAt: Date.now(), ...plan };
  folder.write(NAME, made);
  return made;
}

export function planPartition(
  { partition, end, asOf }: PartitionEnd,
  recordsEach = Math.min(Math.max(Math.ceil(end / AIMED_SHARDS), LEAST_RECORDS), MOST_RECORDS),
): PartitionPlan {
  const shards = Math.max(1, Math.round(end / recordsEach));
  return { partition, to: end, asOf, shards, chunkRecords: recordsEach };
}

/** Of an account, by the last digits of its raw address, which are those of a hash. */
export function shardOf(account: string, shards: number): number {
  const digits = Number.parseInt(account.slice(-8), 16);
  return Number.isNaN(digits) ? 0 : digits % shards;
}

/** Where the tasks of dealing out a partition begin and end. */
export function chunksOf({ to, chunkRecords }: PartitionPlan): { from: number; to: number }[] {
  const chunks: { from: number; to: number }[] = [];
  for (let from = 0; from < to; from += chunkRecords)
    chunks.push({ from, to: Math.min(to, from + chunkRecords) });
  return chunks;
}
