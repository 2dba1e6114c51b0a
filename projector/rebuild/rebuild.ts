import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Config } from '../../shared/config.ts';
import type { EventLog, PartitionEnd } from '../../shared/event-log/event-log.ts';
import type { Generation, GenerationWriter, ReadStore } from '../../shared/read-store/read-store.ts';
import { forgetDealt, isDealtOut } from './deal-out.ts';
import { type FoldedShard, foldedShard, isFolded } from './fold-shard.ts';
import { unpackBatch } from './packed-batch.ts';
import { chunksOf, type PartitionPlan, planPartition, type RebuildPlan, writePlan } from './plan.ts';
import { copyDocuments } from './rebuild-copy.ts';
import { rebuildElsewhere, rebuildIncomplete } from './rebuild-errors.ts';
import { generationToCopy, type RebuildScope, Sources } from './rebuild-scope.ts';
import { rebuildTarget } from './rebuild-target.ts';
import { RebuildThreads, THREADS } from './rebuild-threads.ts';
import { WorkFolder } from './work-folder.ts';
import type { WrittenBatch } from './write-partition.ts';

export interface RebuildOptions {
  log: EventLog;
  store: ReadStore;
  /** What names the same log and store, for the threads that fold, and the folder for what they hand on. */
  config: Config;
  logger: Logger;
  /** All where undefined. */
  scope?: RebuildScope;
  /** About what a batch may take in memory; a few of them are there at a time. */
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

/** Steps of a rebuild, one after the other: each goes through all records. */
export type RebuildStep = 'dealing out' | 'folding' | 'writing';

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

const BATCH_BYTES = 2 * 1024 * 1024;
const PARTS_BYTES = 64 * 1024 * 1024;
const SIGN_OF_LIFE_MS = 5000;

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
  const attempt = new Attempt(options, generation, await store.openWriter(generation.id), sources);
  const ended = (complete: boolean): Rebuilt => ({
    generation,
    complete,
    records: attempt.records,
    seconds: (performance.now() - started) / 1000,
  });
  try {
    const complete = await attempt.run(plan ?? (await attempt.plan(live)));
    return ended(complete);
  } catch (error) {
    if (options.signal?.aborted && error === options.signal.reason) return ended(false);
    throw (await isBuilt(store, generation)) ? rebuildElsewhere() : error;
  } finally {
    await attempt.close();
  }
}

/** Another process was quicker, and has taken the work folder away. */
async function isBuilt(store: ReadStore, { id }: Generation): Promise<boolean> {
  return (await store.generations()).some((each) => each.id === id && !each.building);
}

class Attempt {
  private readonly options: RebuildOptions;
  private readonly generation: Generation;
  private readonly writer: GenerationWriter;
  private readonly sources: Sources;
  private readonly generationFolder: WorkFolder;
  private readonly threads: RebuildThreads;
  private readonly failed = new AbortController();
  private readonly signal: AbortSignal;
  private aliveAt = performance.now();
  /** Folded so far. */
  records = 0;

  constructor(options: RebuildOptions, generation: Generation, writer: GenerationWriter, sources: Sources) {
    this.options = options;
    this.generation = generation;
    this.writer = writer;
    this.sources = sources;
    this.generationFolder = WorkFolder.of(options.config, generation.id);
    this.threads = options.threads ?? new RebuildThreads();
    const { signal } = this.failed;
    this.signal = options.signal ? AbortSignal.any([options.signal, signal]) : signal;
  }

  /** Copies first where `live` is given; then what is to be folded is settled. */
  async plan(live: Generation | undefined): Promise<RebuildPlan> {
    const { log, config, shardRecords } = this.options;
    const plan = { id: randomUUID(), scoped: live !== undefined };
    await this.generationFolder.within(plan.id).make(config);
    if (live) writePlan(this.generationFolder, { ...plan, partitions: [] });
    const ends = new Map((await log.ends()).map((end) => [end.partition, end]));
    if (live)
      for (const [partition, end] of await this.copy(live)) ends.set(partition, endAt(ends, partition, end));
    const partitions: PartitionPlan[] = [];
    for (const end of ends.values()) {
      const { offset } = await this.writer.checkpoint(end.partition);
      if (offset === 0 && end.end > 0) partitions.push(planPartition(end, shardRecords));
    }
    return writePlan(this.generationFolder, { ...plan, partitions });
  }

  /** Whether all of it is done; not so where the signal came first. */
  async run({ id, partitions }: RebuildPlan): Promise<boolean> {
    const folder = this.generationFolder.within(id);
    const left: PartitionPlan[] = [];
    for (const plan of partitions)
      if ((await this.writer.checkpoint(plan.partition)).offset === 0) left.push(plan);
    await this.dealOut(folder, left);
    const folded = await this.foldShards(folder, left);
    await this.write(folder, id, left, folded);
    if (this.signal.aborted) return false;
    await this.options.store.complete(this.generation.id);
    await this.generationFolder.remove();
    return true;
  }

  async close(): Promise<void> {
    if (!this.options.threads) await this.threads.close();
    await this.writer.close();
  }

  private async dealOut(folder: WorkFolder, plans: PartitionPlan[]): Promise<void> {
    const dealt = plans.filter((plan) => plan.shards > 1 && !isFolded(folder, plan));
    const step = this.step('dealing out', dealt);
    const { config } = this.options;
    const chunks = dealt.flatMap((plan) => chunksOf(plan).map((chunk) => ({ plan, ...chunk })));
    await this.each(chunks, async ({ plan, from, to }) => {
      const known = isDealtOut(folder, plan, from);
      if (!known) await this.threads.dealOut({ config, folder: folder.path, plan, from, to });
      await step.done(to - from, !known);
    });
  }

  /** Shards by partition. */
  private async foldShards(folder: WorkFolder, plans: PartitionPlan[]): Promise<Map<number, FoldedShard[]>> {
    const { config, batchBytes: partsBytes = PARTS_BYTES, logger } = this.options;
    const step = this.step('folding', plans);
    const folded = new Map(plans.map(({ partition }) => [partition, [] as FoldedShard[]]));
    const shards = plans.flatMap((plan) =>
      Array.from({ length: plan.shards }, (_, shard) => ({ plan, shard })),
    );
    await this.each(shards, async ({ plan, shard }) => {
      const { partition } = plan;
      const daos = this.sources.foldedDaos(partition);
      const known = foldedShard(folder, plan, shard);
      const done =
        known ??
        (await this.threads.foldShard({
          config,
          folder: folder.path,
          plan,
          shard,
          daos,
          partsBytes,
        }));
      (folded.get(partition) as FoldedShard[])[shard] = done;
      if (!known) {
        this.records += done.records;
        for (const { offset, message } of done.parked)
          logger.error({ partition, offset, reason: message }, 'a record could not be folded and is parked');
      }
      await step.done(done.records, !known);
    });
    return folded;
  }

  private async write(
    folder: WorkFolder,
    id: string,
    plans: PartitionPlan[],
    folded: Map<number, FoldedShard[]>,
  ): Promise<void> {
    if (this.signal.aborted) return;
    // They need not come to the disk any more, which has enough to write.
    for (const plan of plans) await forgetDealt(folder, plan);
    const { batchBytes = BATCH_BYTES } = this.options;
    const step = this.step('writing', plans);
    await this.each(plans, async ({ partition, to, asOf }) => {
      const shards = folded.get(partition) ?? [];
      const records = shards.reduce((sum, shard) => sum + shard.records, 0);
      if (records !== to) throw rebuildIncomplete(partition, records, to);
      const runs = shards.flatMap((shard) => shard.runs);
      const checkpoint = await this.writer.checkpoint(partition);
      if (checkpoint.written && checkpoint.written.by !== id) throw rebuildElsewhere();
      const spotted = shards.flatMap((shard) => shard.spotted);
      const reached = { offset: to, asOf: asOf ?? checkpoint.asOf };
      const rows = runs.reduce((sum, run) => sum + run.rows, 0);
      let written = 0;
      let told = 0;
      const commit = async (made: WrittenBatch) => {
        if ((await this.writer.commit(unpackBatch(made.batch))) === 'conflict') throw rebuildElsewhere();
        written += made.rows;
        const reachedBy = Math.floor((to * written) / rows);
        await step.done(reachedBy - told, true);
        told = reachedBy;
      };
      const task = { id, folder: folder.path, partition, runs, spotted, checkpoint, reached, batchBytes };
      await this.threads.write(task, commit, this.signal);
    });
  }

  /** Some at a time; none begins once the signal has come. The others end too where one fails. */
  private async each<T>(tasks: T[], perform: (task: T) => Promise<void>): Promise<void> {
    const limit = pLimit(THREADS);
    const performed = tasks.map((task) =>
      limit(async () => {
        if (this.signal.aborted) return;
        try {
          await perform(task);
        } catch (error) {
          this.failed.abort();
          throw error;
        }
      }),
    );
    for (const outcome of await Promise.allSettled(performed))
      if (outcome.status === 'rejected') throw outcome.reason;
  }

  private step(step: RebuildStep, plans: PartitionPlan[]) {
    const total = plans.reduce((sum, { to }) => sum + to, 0);
    const started = performance.now();
    let [done, own] = [0, 0];
    const tell = () => {
      const seconds = (performance.now() - started) / 1000;
      this.options.onProgress?.({ generation: this.generation.id, step, done, total, own, seconds });
    };
    if (total > 0 && !this.signal.aborted) tell();
    return {
      done: async (records: number, byUs: boolean) => {
        done += records;
        if (byUs) own += records;
        tell();
        if (step !== 'writing') await this.giveSignOfLife(plans[0]);
      },
    };
  }

  /** Who finds an unfinished generation sees by its checkpoints that somebody is at work on it. */
  private async giveSignOfLife(plan: PartitionPlan | undefined): Promise<void> {
    const { signOfLifeMs = SIGN_OF_LIFE_MS } = this.options;
    if (!plan || performance.now() - this.aliveAt < signOfLifeMs) return;
    this.aliveAt = performance.now();
    const { partition } = plan;
    const { offset, edits, ...checkpoint } = await this.writer.checkpoint(partition);
    const outcome = await this.writer.commit({
      partition,
      base: { offset, edits },
      checkpoint: { ...checkpoint, offset, edits: edits + 1 },
      documents: [],
    });
    if (outcome === 'conflict') throw rebuildElsewhere();
  }

  /** The offsets that the copies stand for, by partition. */
  private async copy(live: Generation): Promise<Map<number, number>> {
    const { log, store } = this.options;
    const { writer: to, sources, signal } = this;
    const from = await store.openWriter(live.id);
    try {
      return await copyDocuments({ from, to, sources, partitions: log.partitions, signal });
    } finally {
      await from.close();
    }
  }
}

function endAt(ends: ReadonlyMap<number, PartitionEnd>, partition: number, end: number): PartitionEnd {
  const asOf = ends.get(partition)?.end === end ? (ends.get(partition)?.asOf ?? null) : null;
  return { partition, end, asOf };
}
