import pLimit from 'p-limit';
import type { Generation, GenerationWriter } from '../../shared/read-store/read-store.ts';
import { forgetDealt, isDealtOut } from './deal-out.ts';
import { type FoldedShard, foldedShard, isFolded } from './fold-shard.ts';
import { unpackBatch } from './packed-batch.ts';
import { chunksOf, type PartitionPlan, type RebuildPlan } from './plan.ts';
import type { RebuildOptions } from './rebuild.ts';
import { rebuildElsewhere, rebuildIncomplete } from './rebuild-errors.ts';
import type { Sources } from './rebuild-scope.ts';
import { writtenBy } from './rebuild-target.ts';
import { RebuildThreads, THREADS } from './rebuild-threads.ts';
import { WorkFolder } from './work-folder.ts';
import type { WrittenBatch } from './write-partition.ts';

/** Steps of a rebuild, one after the other: each goes through all records. */
export type RebuildStep = 'dealing out' | 'folding' | 'writing';

/** A rebuild of a generation that is there. */
export interface RebuildJob extends RebuildOptions {
  generation: Generation;
  writer: GenerationWriter;
  sources: Sources;
}

const BATCH_BYTES = 2 * 1024 * 1024;
const PARTS_BYTES = 64 * 1024 * 1024;
const SIGN_OF_LIFE_MS = 5000;
/** About what of the work a step is. */
const SHARES: Record<RebuildStep, number> = { 'dealing out': 0.1, folding: 0.4, writing: 0.5 };

/** Deals out, folds and writes what a plan says, on the threads of a rebuild. */
export class RebuildSteps {
  private readonly job: RebuildJob;
  private readonly threads: RebuildThreads;
  private readonly failed = new AbortController();
  private readonly signal: AbortSignal;
  private readonly one = pLimit(1);
  private aliveAt = performance.now();
  /** Of the records of each partition, what all that is done of them amounts to. */
  private readonly done = new Map<number, number>();
  /** Folded so far. */
  records = 0;

  constructor(job: RebuildJob) {
    this.job = job;
    this.threads = job.threads ?? new RebuildThreads();
    const { signal } = this.failed;
    this.signal = job.signal ? AbortSignal.any([job.signal, signal]) : signal;
  }

  /** Whether all of it is done; not so where the signal came first. */
  async run({ id, partitions }: RebuildPlan): Promise<boolean> {
    const { writer, config, generation } = this.job;
    const folder = WorkFolder.of(config, generation.id).within(id);
    const left: PartitionPlan[] = [];
    for (const plan of partitions)
      if ((await writer.checkpoint(plan.partition)).offset === 0) left.push(plan);
    await this.dealOut(folder, id, left);
    const folded = await this.foldShards(folder, id, left);
    if (!this.signal.aborted) await this.write(folder, id, left, folded);
    return !this.signal.aborted;
  }

  async close(): Promise<void> {
    if (!this.job.threads) await this.threads.close();
  }

  private async dealOut(folder: WorkFolder, id: string, plans: PartitionPlan[]): Promise<void> {
    const dealt = plans.filter((plan) => plan.shards > 1 && !isFolded(folder, plan));
    const step = this.step('dealing out', id, dealt);
    const { config } = this.job;
    const chunks = dealt.flatMap((plan) => chunksOf(plan).map((chunk) => ({ plan, ...chunk })));
    await this.each(chunks, async ({ plan, from, to }) => {
      const known = isDealtOut(folder, plan, from);
      if (!known) await this.threads.dealOut({ config, folder: folder.path, plan, from, to });
      await step.done(plan.partition, to - from, !known);
    });
  }

  /** Shards by partition. */
  private async foldShards(
    folder: WorkFolder,
    id: string,
    plans: PartitionPlan[],
  ): Promise<Map<number, FoldedShard[]>> {
    const { config, batchBytes: partsBytes = PARTS_BYTES, logger } = this.job;
    const step = this.step('folding', id, plans);
    const folded = new Map(plans.map(({ partition }) => [partition, [] as FoldedShard[]]));
    const shards = plans.flatMap((plan) =>
      Array.from({ length: plan.shards }, (_, shard) => ({ plan, shard })),
    );
    await this.each(shards, async ({ plan, shard }) => {
      const { partition } = plan;
      const daos = this.job.sources.foldedDaos(partition);
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
      await step.done(partition, done.records, !known);
    });
    return folded;
  }

  private async write(
    folder: WorkFolder,
    id: string,
    plans: PartitionPlan[],
    folded: Map<number, FoldedShard[]>,
  ): Promise<void> {
    // They need not come to the disk any more, which has enough to write.
    for (const plan of plans) await forgetDealt(folder, plan);
    const { batchBytes = BATCH_BYTES } = this.job;
    const step = this.step('writing', id, plans);
    await this.each(plans, async ({ partition, to, asOf }) => {
      const shards = folded.get(partition) ?? [];
      const records = shards.reduce((sum, shard) => sum + shard.records, 0);
      if (records !== to) throw rebuildIncomplete(partition, records, to);
      const checkpoint = await this.job.writer.checkpoint(partition);
      const before = writtenBy(id, checkpoint.building);
      if (before === undefined) throw rebuildElsewhere();
      const reached = { offset: to, asOf: asOf ?? checkpoint.asOf };
      const runs = shards.flatMap((shard) => shard.runs);
      const spotted = shards.flatMap((shard) => shard.spotted);
      const rows = Math.max(
        1,
        runs.reduce((sum, run) => sum + run.rows, 0),
      );
      let [written, told] = [0, 0];
      const commit = async (made: WrittenBatch) => {
        const batch = unpackBatch(made.batch);
        const { building } = batch.checkpoint;
        if (building) building.done = this.doneOf(partition);
        if ((await this.job.writer.commit(batch)) === 'conflict') throw rebuildElsewhere();
        written += made.rows;
        const reachedBy = Math.floor((to * written) / rows);
        await step.done(partition, reachedBy - told, true);
        told = reachedBy;
      };
      const files = { folder: folder.path, runs, spotted };
      const task = { id, ...files, partition, checkpoint, written: before, reached, batchBytes };
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

  /** Counts what is done of a step, in records. */
  private step(name: RebuildStep, id: string, plans: PartitionPlan[]) {
    const total = plans.reduce((sum, { to }) => sum + to, 0);
    const started = performance.now();
    let [done, own] = [0, 0];
    const tell = () => {
      const seconds = (performance.now() - started) / 1000;
      const { generation } = this.job;
      this.job.onProgress?.({ generation: generation.id, step: name, done, total, own, seconds });
    };
    if (total > 0 && !this.signal.aborted) tell();
    return {
      done: async (partition: number, records: number, byUs: boolean) => {
        done += records;
        if (byUs) own += records;
        this.done.set(partition, (this.done.get(partition) ?? 0) + SHARES[name] * records);
        tell();
        if (name !== 'writing') await this.one(() => this.giveSignOfLife(id, plans));
      },
    };
  }

  /**
   * Who finds an unfinished generation sees by its checkpoints that somebody is at work on it, and how
   * far that is.
   */
  private async giveSignOfLife(id: string, plans: PartitionPlan[]): Promise<void> {
    const { signOfLifeMs = SIGN_OF_LIFE_MS, writer } = this.job;
    if (performance.now() - this.aliveAt < signOfLifeMs) return;
    this.aliveAt = performance.now();
    for (const { partition } of plans) {
      const before = await writer.checkpoint(partition);
      const { offset, edits } = before;
      const written = writtenBy(id, before.building);
      if (written === undefined) throw rebuildElsewhere();
      const building = { plan: id, written, done: this.doneOf(partition) };
      const checkpoint = { ...before, edits: edits + 1, building };
      const outcome = await writer.commit({ partition, base: { offset, edits }, checkpoint, documents: [] });
      if (outcome === 'conflict') throw rebuildElsewhere();
    }
  }

  private doneOf(partition: number): number {
    return Math.floor(this.done.get(partition) ?? 0);
  }
}
