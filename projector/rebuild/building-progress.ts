import pLimit from 'p-limit';
import type { PartitionPlan } from './plan.ts';
import { rebuildElsewhere } from './rebuild-errors.ts';
import type { RebuildJob } from './rebuild-steps.ts';
import { writtenBy } from './rebuild-target.ts';

/** Steps of a rebuild, one after the other: each goes through all records. */
export type RebuildStep = 'dealing out' | 'folding' | 'writing';

const SIGN_OF_LIFE_MS = 5000;
/** About what of the work a step is. */
const SHARES: Record<RebuildStep, number> = { 'dealing out': 0.1, folding: 0.4, writing: 0.5 };

/**
 * How far the building of a generation is, in records: told to whoever began it, and in the
 * checkpoints of its partitions to everybody else.
 */
export class BuildingProgress {
  private readonly job: RebuildJob;
  private readonly planId: string;
  /** Partitions that are being built. */
  private readonly plans: PartitionPlan[];
  /** Of the records of each partition, what all that is done of them amounts to. */
  private readonly done = new Map<number, number>();
  private readonly one = pLimit(1);
  private aliveAt = performance.now();

  constructor(job: RebuildJob, planId: string, plans: PartitionPlan[]) {
    this.job = job;
    this.planId = planId;
    this.plans = plans;
  }

  /** Begins a step through the records of some partitions. Gives what is called with those it is done with. */
  step(
    name: RebuildStep,
    plans: PartitionPlan[],
  ): (partition: number, records: number, byUs: boolean) => Promise<void> {
    const total = plans.reduce((sum, { to }) => sum + to, 0);
    const started = performance.now();
    let [done, own] = [0, 0];
    const tell = () => {
      const seconds = (performance.now() - started) / 1000;
      const generation = this.job.generation.id;
      this.job.onProgress?.({ generation, step: name, done, total, own, seconds });
    };
    if (total > 0) tell();
    return async (partition, records, byUs) => {
      done += records;
      if (byUs) own += records;
      this.done.set(partition, this.doneOf(partition) + SHARES[name] * records);
      tell();
      // What is written is a sign itself.
      if (name !== 'writing') await this.one(() => this.giveSignOfLife());
    };
  }

  /** What a checkpoint is to tell. */
  recordsDone(partition: number): number {
    return Math.floor(this.doneOf(partition));
  }

  /** By it whoever finds an unfinished generation sees that somebody is at work on it. */
  private async giveSignOfLife(): Promise<void> {
    const { signOfLifeMs = SIGN_OF_LIFE_MS, writer } = this.job;
    if (performance.now() - this.aliveAt < signOfLifeMs) return;
    this.aliveAt = performance.now();
    for (const { partition } of this.plans) {
      const before = await writer.checkpoint(partition);
      const { offset, edits } = before;
      const written = writtenBy(this.planId, before.building);
      if (written === undefined) throw rebuildElsewhere();
      const building = { plan: this.planId, written, done: this.recordsDone(partition) };
      const checkpoint = { ...before, edits: edits + 1, building };
      const outcome = await writer.commit({ partition, base: { offset, edits }, checkpoint, documents: [] });
      if (outcome === 'conflict') throw rebuildElsewhere();
    }
  }

  private doneOf(partition: number): number {
    return this.done.get(partition) ?? 0;
  }
}
