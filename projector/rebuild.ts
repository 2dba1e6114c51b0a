import type { Logger } from 'pino';
import type { Config } from '../shared/config.ts';
import type { EventLog } from '../shared/event-log/event-log.ts';
import type { Generation, GenerationWriter, ReadStore } from '../shared/read-store/read-store.ts';
import { FoldThreads } from './fold-threads.ts';
import { copyDocuments } from './rebuild-copy.ts';
import { generationToCopy, type RebuildScope, Sources } from './rebuild-scope.ts';
import { rebuildElsewhere, rebuildTarget } from './rebuild-target.ts';
import { unpackBatch } from './rebuild-transfer.ts';
import type { FoldedPart } from './rebuild-worker.ts';

export interface RebuildOptions {
  log: EventLog;
  store: ReadStore;
  /** What names the same log and store, for the threads that fold. */
  config: Config;
  logger: Logger;
  /** All where undefined. */
  scope?: RebuildScope;
  /** About what a batch may take in memory; a few of them are there at a time. */
  batchBytes?: number;
  /** Kept open by who has them; else the rebuild has its own. */
  threads?: FoldThreads;
  signal?: AbortSignal;
  onProgress?(progress: RebuildProgress): void;
}

export interface RebuildProgress {
  generation: string;
  /** Records folded and records to fold, those of earlier attempts included. */
  done: number;
  total: number;
  /** Records folded by this attempt, and its seconds so far. */
  folded: number;
  seconds: number;
}

export interface Rebuilt {
  generation: Generation;
  /** False where `signal` ended it before all was folded: another rebuild goes on from there. */
  complete: boolean;
  /** Folded by this attempt. */
  records: number;
  seconds: number;
}

const BATCH_BYTES = 8 * 1024 * 1024;

/**
 * Builds a generation beside the live one from the log alone, up to the log's end as it stood: each
 * partition is read and folded in large batches by a thread of its own, and committed here with its
 * checkpoint, from which an unfinished generation is resumed. Whoever follows the log folds the rest.
 */
export async function rebuild(options: RebuildOptions): Promise<Rebuilt> {
  const { log, store, scope } = options;
  const sources = new Sources(scope, log.partitions);
  const live = scope && (await generationToCopy(store, log.partitions));
  const generation = await rebuildTarget(store, log.partitions, scope === undefined);
  const writer = await store.openWriter(generation.id);
  const attempt = new Attempt(options, generation, writer, sources);
  try {
    const ends = new Map((await log.ends()).map(({ partition, end }) => [partition, end]));
    if (live) for (const [partition, end] of await attempt.copy(live)) ends.set(partition, end);
    const complete = await attempt.fold(ends);
    if (complete) await store.complete(generation.id);
    return { generation, complete, ...attempt.spent() };
  } catch (error) {
    if (!options.signal?.aborted || error !== options.signal.reason) throw error;
    return { generation, complete: false, ...attempt.spent() };
  } finally {
    await writer.close();
  }
}

interface Section {
  partition: number;
  from: number;
  to: number;
}

class Attempt {
  private readonly options: RebuildOptions;
  private readonly generation: Generation;
  private readonly writer: GenerationWriter;
  private readonly sources: Sources;
  private readonly failed = new AbortController();
  private readonly signal: AbortSignal;
  private readonly started = performance.now();
  private records = 0;

  constructor(options: RebuildOptions, generation: Generation, writer: GenerationWriter, sources: Sources) {
    this.options = options;
    this.generation = generation;
    this.writer = writer;
    this.sources = sources;
    const { signal } = this.failed;
    this.signal = options.signal ? AbortSignal.any([options.signal, signal]) : signal;
  }

  spent(): Pick<Rebuilt, 'records' | 'seconds'> {
    return { records: this.records, seconds: (performance.now() - this.started) / 1000 };
  }

  /** The offsets that the copies stand for, by partition. */
  async copy(live: Generation): Promise<Map<number, number>> {
    const { log, store } = this.options;
    const { writer: to, sources, signal } = this;
    const from = await store.openWriter(live.id);
    try {
      return await copyDocuments({ from, to, sources, partitions: log.partitions, signal });
    } finally {
      await from.close();
    }
  }

  /** Whether every partition is folded up to its end; not so where the signal came first. */
  async fold(ends: Map<number, number>): Promise<boolean> {
    const sections: Section[] = [];
    for (const [partition, to] of ends) {
      const { offset: from } = await this.writer.checkpoint(partition);
      if (from < to) sections.push({ partition, from, to });
    }
    const total = [...ends.values()].reduce((sum, end) => sum + end, 0);
    const left = sections.reduce((sum, { from, to }) => sum + to - from, 0);
    const tell = () => this.tell(total - left + this.records, total);
    tell();
    if (left > 0 && !this.signal.aborted) await this.foldSections(sections, tell);
    return this.records === left;
  }

  private async foldSections(sections: Section[], folded: () => void): Promise<void> {
    const threads = this.options.threads ?? new FoldThreads(sections.length);
    try {
      const outcomes = await Promise.allSettled(
        sections.map((section) => this.foldSection(threads, section, folded)),
      );
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    } finally {
      if (!this.options.threads) await threads.close();
    }
  }

  private async foldSection(
    threads: FoldThreads,
    { partition, to }: Section,
    folded: () => void,
  ): Promise<void> {
    const { config, batchBytes = BATCH_BYTES } = this.options;
    const { id: generation } = this.generation;
    const daos = this.sources.foldedDaos(partition);
    const commit = async (part: FoldedPart) => {
      await this.commit(partition, part);
      folded();
    };
    try {
      await threads.fold({ config, generation, partition, to, daos, batchBytes }, commit, this.signal);
    } catch (error) {
      // The other partitions end too; what is committed of them stays.
      this.failed.abort();
      throw error;
    }
  }

  private async commit(partition: number, { batch, records, parked }: FoldedPart): Promise<void> {
    if ((await this.writer.commit(unpackBatch(batch))) === 'conflict') throw rebuildElsewhere();
    this.records += records;
    for (const { offset, message } of parked)
      this.options.logger.error(
        { partition, offset, reason: message },
        'a record could not be folded and is parked',
      );
  }

  private tell(done: number, total: number): void {
    const { records: folded, seconds } = this.spent();
    this.options.onProgress?.({ generation: this.generation.id, done, total, folded, seconds });
  }
}
