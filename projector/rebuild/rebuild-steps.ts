import pLimit from 'p-limit';
import type { Generation, GenerationWriter } from '../../shared/read-store/read-store.ts';
import { BuildingProgress } from './building-progress.ts';
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
import type { WriteTask, WrittenBatch } from './write-partition.ts';

/** A rebuild of a generation that is there. */
export interface RebuildJob extends RebuildOptions {
  generation: Generation;
  writer: GenerationWriter;
  sources: Sources;
}

const BATCH_BYTES = 2 * 1024 * 1024;
const PARTS_BYTES = 64 * 1024 * 1024;

/** Deals out, folds and writes what a plan says, on the threads of a rebuild. */
export class RebuildSteps {
  private readonly job: RebuildJob;
  private readonly plan: RebuildPlan;
  private readonly folder: WorkFolder;
  private readonly threads: RebuildThreads;
  private readonly failed = new AbortController();
  private readonly signal: AbortSignal;
  /** Folded so far. */
  records = 0;

  constructor(job: RebuildJob, plan: RebuildPlan) {
    this.job = job;
    this.plan = plan;
    this.folder = WorkFolder.of(job.config, job.generation.id).within(plan.id);
    this.threads = job.threads ?? new RebuildThreads();
    const { signal } = this.failed;
    this.signal = job.signal ? AbortSignal.any([job.signal, signal]) : signal;
  }

  /** Whether all of it is done; not so where the signal came first. */
  async run(): Promise<boolean> {
    const left: PartitionPlan[] = [];
    for (const plan of this.plan.partitions)
      if ((await this.job.writer.checkpoint(plan.partition)).offset === 0) left.push(plan);
    const progress = new BuildingProgress(this.job, this.plan.id, left);
    if (this.signal.aborted) return false;
    await this.dealOut(left, progress);
    if (this.signal.aborted) return false;
    const folded = await this.foldShards(left, progress);
    if (this.signal.aborted) return false;
    await this.write(left, folded, progress);
    return !this.signal.aborted;
  }

  async close(): Promise<void> {
    if (!this.job.threads) await this.threads.close();
  }

  private async dealOut(plans: PartitionPlan[], progress: BuildingProgress): Promise<void> {
    const { folder } = this;
    const dealt = plans.filter((plan) => plan.shards > 1 && !isFolded(folder, plan));
    const done = progress.step('dealing out', dealt);
    const { config } = this.job;
    const chunks = dealt.flatMap((plan) => chunksOf(plan).map((chunk) => ({ plan, ...chunk })));
    await this.each(chunks, async ({ plan, from, to }) => {
      const known = isDealtOut(folder, plan, from);
      if (!known) await this.threads.dealOut({ config, folder: folder.path, plan, from, to });
      await done(plan.partition, to - from, !known);
    });
  }

  /** Shards by partition. */
  private async foldShards(
    plans: PartitionPlan[],
    progress: BuildingProgress,
  ): Promise<Map<number, FoldedShard[]>> {
    const done = progress.step('folding', plans);
    const folded = new Map(plans.map(({ partition }) => [partition, [] as FoldedShard[]]));
    const shards = plans.flatMap((plan) =>
      Array.from({ length: plan.shards }, (_, shard) => ({ plan, shard })),
    );
    await this.each(shards, async ({ plan, shard }) => {
      const known = foldedShard(this.folder, plan, shard);
      const is = known ?? (await this.foldShard(plan, shard));
      (folded.get(plan.partition) as FoldedShard[])[shard] = is;
      await done(plan.partition, is.records, !known);
    });
    return folded;
  }

  private async foldShard(plan: PartitionPlan, shard: number): Promise<FoldedShard> {
    const { config, batchBytes: partsBytes = PARTS_BYTES, logger, sources } = this.job;
    const { partition } = plan;
    const folder = this.folder.path;
    const daos = sources.foldedDaos(partition);
    const folded = await this.threads.foldShard({ config, folder, plan, shard, daos, partsBytes });
    this.records += folded.records;
    for (const { offset, message } of folded.parked)
      logger.error({ partition, offset, reason: message }, 'a record could not be folded and is parked');
    return folded;
  }

  private async write(
    plans: PartitionPlan[],
    folded: ReadonlyMap<number, FoldedShard[]>,
    progress: BuildingProgress,
  ): Promise<void> {
    // They need not come to the disk any more, which has enough to write.
    for (const plan of plans) await forgetDealt(this.folder, plan);
    const done = progress.step('writing', plans);
    await this.each(plans, async (plan) => {
      const { partition, to } = plan;
      const task = await this.writeTask(plan, folded.get(partition) ?? []);
      const rows = task.runs.reduce((sum, run) => sum + run.rows, 0);
      let [written, told] = [0, 0];
      const commit = async (made: WrittenBatch) => {
        const batch = unpackBatch(made.batch);
        const { building } = batch.checkpoint;
        if (building) building.done = progress.recordsDone(partition);
        if ((await this.job.writer.commit(batch)) === 'conflict') throw rebuildElsewhere();
        written += made.rows;
        const reached = Math.floor((to * written) / Math.max(1, rows));
        await done(partition, reached - told, true);
        told = reached;
      };
      await this.threads.write(task, commit, this.signal);
    });
  }

  private async writeTask(
    { partition, to, asOf }: PartitionPlan,
    shards: FoldedShard[],
  ): Promise<Omit<WriteTask, 'port'>> {
    const { id } = this.plan;
    const records = shards.reduce((sum, shard) => sum + shard.records, 0);
    if (records !== to) throw rebuildIncomplete(partition, records, to);
    const checkpoint = await this.job.writer.checkpoint(partition);
    const written = writtenBy(id, checkpoint.building);
    if (written === undefined) throw rebuildElsewhere();
    return {
      id,
      folder: this.folder.path,
      partition,
      runs: shards.flatMap((shard) => shard.runs),
      spotted: shards.flatMap((shard) => shard.spotted),
      checkpoint,
      written,
      reached: { offset: to, asOf: asOf ?? checkpoint.asOf },
      batchBytes: this.job.batchBytes ?? BATCH_BYTES,
    };
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
}
