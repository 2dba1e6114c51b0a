import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../../shared/config.ts';
import type { EventLog, PartitionEnd } from '../../shared/event-log/event-log.ts';
import type { Generation, ReadStore } from '../../shared/read-store/read-store.ts';
import type { RebuildStep } from './building-progress.ts';
import { type PartitionPlan, planPartition, type RebuildPlan, writePlan } from './plan.ts';
import { copyDocuments } from './rebuild-copy.ts';
import { rebuildElsewhere } from './rebuild-errors.ts';
import { generationToCopy, type RebuildScope, Sources } from './rebuild-scope.ts';
import { type RebuildJob, RebuildSteps } from './rebuild-steps.ts';
import { rebuildTarget } from './rebuild-target.ts';
import type { RebuildThreads } from './rebuild-threads.ts';
import { WorkFolder } from './work-folder.ts';

export interface RebuildOptions {
  log: EventLog;
  store: ReadStore;
  /** What names the same log and store, for the threads that fold, and the folder for what they hand on. */
  config: Config;
  logger: Logger;
  /** All where undefined. */
  scope?: RebuildScope;
  /**
   * About what a batch may take in memory, of which a few are there at a time; and what the accounts of a
   * shard have said, before it is written down.
   */
  batchBytes?: number;
  /** Records of a shard; by the length of the log where undefined. */
  shardRecords?: number;
  /** Kept open by who has them; else the rebuild has its own. */
  threads?: RebuildThreads;
  /** How often a sign of life is given; see `giveSignOfLife`. */
  signOfLifeMs?: number;
  signal?: AbortSignal;
  onProgress?(progress: RebuildProgress): void;
}

export interface RebuildProgress {
  generation: string;
  step: RebuildStep;
  /** Records that the step is done with, and those that there are; what earlier attempts did included. */
  done: number;
  total: number;
  /** Of those done, what this attempt did, and the seconds of the step so far. */
  own: number;
  seconds: number;
}

export interface Rebuilt {
  generation: Generation;
  /** False where `signal` ended it before all was written: another rebuild goes on from there. */
  complete: boolean;
  /** Folded by this attempt. */
  records: number;
  seconds: number;
}

/**
 * Builds a generation beside the live one from the log alone, up to the log's end as it stood, in
 * three steps whose cost does not grow with what is built already: the records are dealt out by
 * account, so that a shard of the accounts fits in memory; each shard is folded, and what its
 * accounts say in documents is written down in the order of those; then all is merged, and each
 * document written once, each list in its order. What a step has done is kept in the work folder (the
 * last step's in the store), from which an unfinished generation is resumed. Whoever follows the log
 * folds the rest.
 */
export async function rebuild(options: RebuildOptions): Promise<Rebuilt> {
  const { log, store, config, scope } = options;
  const started = performance.now();
  const sources = new Sources(scope, log.partitions);
  const live = scope && (await generationToCopy(store, log.partitions));
  const { generation, plan } = await rebuildTarget(store, config, log.partitions, scope !== undefined);
  const writer = await store.openWriter(generation.id);
  const job: RebuildJob = { ...options, generation, writer, sources };
  let steps: RebuildSteps | undefined;
  const ended = (complete: boolean): Rebuilt => {
    const seconds = (performance.now() - started) / 1000;
    return { generation, complete, records: steps?.records ?? 0, seconds };
  };
  try {
    steps = new RebuildSteps(job, plan ?? (await makePlan(job, live)));
    const complete = await steps.run();
    if (complete) {
      await store.complete(generation.id);
      await WorkFolder.of(config, generation.id).remove();
    }
    return ended(complete);
  } catch (error) {
    if (options.signal?.aborted && error === options.signal.reason) return ended(false);
    throw (await isBuilt(store, generation)) ? rebuildElsewhere() : error;
  } finally {
    await steps?.close();
    await writer.close();
  }
}

/** Another process was quicker, and has taken the work folder away. */
async function isBuilt(store: ReadStore, { id }: Generation): Promise<boolean> {
  return (await store.generations()).some((each) => each.id === id && !each.building);
}

/** Settles what is to be folded, after the rest was copied where `live` is given. */
async function makePlan(job: RebuildJob, live: Generation | undefined): Promise<RebuildPlan> {
  const { log, config, shardRecords, generation, writer } = job;
  const folder = WorkFolder.of(config, generation.id);
  const plan = { id: randomUUID(), scoped: live !== undefined };
  await folder.within(plan.id).make(config);
  if (live) writePlan(folder, { ...plan, partitions: [] });
  const ends = new Map((await log.ends()).map((end) => [end.partition, end]));
  if (live)
    for (const [partition, end] of await copyFrom(live, job))
      ends.set(partition, endAt(ends, partition, end));
  const partitions: PartitionPlan[] = [];
  for (const end of ends.values()) {
    const { offset } = await writer.checkpoint(end.partition);
    if (offset === 0 && end.end > 0) partitions.push(planPartition(end, shardRecords));
  }
  return writePlan(folder, { ...plan, partitions });
}

/** The offsets that the copies stand for, by partition. */
async function copyFrom(live: Generation, job: RebuildJob): Promise<Map<number, number>> {
  const { log, store, writer: to, sources, signal = new AbortController().signal } = job;
  const from = await store.openWriter(live.id);
  try {
    return await copyDocuments({ from, to, sources, partitions: log.partitions, signal });
  } finally {
    await from.close();
  }
}

function endAt(ends: ReadonlyMap<number, PartitionEnd>, partition: number, end: number): PartitionEnd {
  const asOf = ends.get(partition)?.end === end ? (ends.get(partition)?.asOf ?? null) : null;
  return { partition, end, asOf };
}
