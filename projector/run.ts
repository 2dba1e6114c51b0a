import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../shared/config.ts';
import { IndexerError, RetryableError } from '../shared/errors.ts';
import type { EventLog, LogBatch } from '../shared/event-log/event-log.ts';
import type { Generation, GenerationWriter, ReadStore } from '../shared/read-store/read-store.ts';
import { addDigests } from './digest.ts';
import { foldBatch } from './fold-batch.ts';
import { foldedCommit } from './folded-commit.ts';
import { ownGeneration, ownGenerations } from './generations.ts';
import { rebuild } from './rebuild/rebuild.ts';

export interface ProjectorOptions {
  log: EventLog;
  store: ReadStore;
  logger: Logger;
  /** What names the same log and store: with it, a new version's generation is built as `rebuild` does. */
  config?: Config;
  maxRecords?: number;
  /** How long an unfinished generation must have stood still before it is taken over. */
  abandonedMs?: number;
}

export interface Projector {
  /** The newest that it folds, or builds, at the start. */
  generation: Generation;
  /** Ends after the batches in flight. */
  stop(): Promise<void>;
}

/** How soon a generation that was completed or dropped by another process is seen. */
const LOOK_MS = 1000;
const AFTER_FAILURE_MS = 5000;
const ABANDONED_MS = 30_000;

/**
 * Follows the log and folds it into every generation of this process's version that is built, also
 * those that are completed later, until they are dropped. A version that has none yet makes one.
 */
export async function startProjector(options: ProjectorOptions): Promise<Projector> {
  const { log, store, config } = options;
  const found = await ownGenerations(store);
  const generation = await ownGeneration(store, log.partitions, config !== undefined);
  const made = !found.some(({ id }) => id === generation.id);
  const projector = new GenerationsProjector(options, generation, made);
  await projector.look();
  return { generation, stop: () => projector.stop() };
}

class GenerationsProjector {
  private readonly options: ProjectorOptions;
  private readonly first: Generation;
  private readonly followed = new Map<string, Following>();
  private readonly stopping = new AbortController();
  private looking: Promise<void> | undefined;
  /** How far the unfinished generation was when it was seen to move last; undefined for one of our own. */
  private seen: { offsets: string; at: number } | undefined;

  constructor(options: ProjectorOptions, first: Generation, made: boolean) {
    this.options = options;
    this.first = first;
    if (!made) this.seen = { offsets: '', at: performance.now() };
  }

  async look(): Promise<void> {
    await this.followAll();
    this.looking = this.lookOn();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.looking;
    await Promise.all([...this.followed.values()].map((following) => following.stop()));
  }

  private async lookOn(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let wait = LOOK_MS;
      try {
        if (this.followed.size === 0) await this.build();
        await this.followAll();
      } catch (error) {
        wait = AFTER_FAILURE_MS;
        if (isOf(error, 'REBUILD_ELSEWHERE')) this.seen = { offsets: '', at: performance.now() };
        else this.options.logger.error({ err: error }, 'looking after generations failed');
      }
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  private async followAll(): Promise<void> {
    const ready = (await ownGenerations(this.options.store)).filter(({ building }) => !building);
    for (const generation of ready) {
      const { id, live } = generation;
      if (this.followed.has(id)) continue;
      this.followed.set(id, await followGeneration(this.options, generation));
      const message = 'folding a generation that is not live until it is promoted';
      if (!live) this.options.logger.warn({ generation: id }, message);
    }
    for (const [id, following] of this.followed) {
      if (ready.some((each) => each.id === id)) continue;
      this.followed.delete(id);
      await following.stop();
    }
  }

  /** Builds the generation that the start made, or found unfinished and left; one that was dropped is not made again. */
  private async build(): Promise<void> {
    const { config, log, store, logger } = this.options;
    const { id } = this.first;
    const unfinished = (await ownGenerations(store)).some((each) => each.id === id && each.building);
    if (!unfinished || !config || (await this.isBuiltElsewhere())) return;
    logger.info({ generation: id }, 'building the read models of this version from the log');
    this.seen = undefined;
    await rebuild({ log, store, config, logger, signal: this.stopping.signal });
  }

  /** A rebuild in another process moves on; one that was killed does not. */
  private async isBuiltElsewhere(): Promise<boolean> {
    if (!this.seen) return false;
    const writer = await this.options.store.openWriter(this.first.id);
    const offsets: string[] = [];
    for (let partition = 0; partition < this.first.partitions; partition++) {
      const { offset, edits } = await writer.checkpoint(partition);
      offsets.push(`${offset}/${edits}`);
    }
    await writer.close();
    if (offsets.join() !== this.seen.offsets) this.seen = { offsets: offsets.join(), at: performance.now() };
    return performance.now() - this.seen.at < (this.options.abandonedMs ?? ABANDONED_MS);
  }
}

export interface Following {
  /** Ends after the batches in flight. */
  stop(): Promise<void>;
}

/** Folds what comes to the log into one generation. */
export async function followGeneration(
  options: ProjectorOptions,
  generation: Generation,
): Promise<Following> {
  const { log, store, logger } = options;
  const { id } = generation;
  const writer = await store.openWriter(id);
  const subscription = await log.follow({
    group: `projector-${id}`,
    checkpoint: async (partition) => (await writer.checkpoint(partition)).offset,
    handle: (batch) => project(batch, writer, logger),
    failed: (partition, error) => {
      // Somebody else folds the same generation, or nobody is to do so any more.
      const quiet = isOf(error, 'CHECKPOINT_MOVED') || isOf(error, 'GENERATION_DROPPED');
      logger[quiet ? 'debug' : 'error'](
        { generation: id, partition, err: error },
        'a batch failed and is tried again',
      );
    },
    ...(options.maxRecords !== undefined && { maxRecords: options.maxRecords }),
  });
  return {
    stop: async () => {
      await subscription.stop();
      await writer.close();
    },
  };
}

function isOf(error: unknown, code: string): boolean {
  return error instanceof IndexerError && error.code === code;
}

/**
 * Folds one batch and commits it with its checkpoint. Records that cannot be folded are parked;
 * whatever else fails (the store, a writer that was here first) throws, so that the partition is
 * read again from its checkpoint.
 */
export async function project(batch: LogBatch, writer: GenerationWriter, logger: Logger): Promise<void> {
  const { partition, from } = batch;
  const checkpoint = await writer.checkpoint(partition);
  const folded = await foldBatch(batch.records, (keys) => writer.load(keys));
  const outcome = await writer.commit(foldedCommit(checkpoint, batch, folded));
  if (outcome === 'conflict')
    throw new RetryableError(
      'CHECKPOINT_MOVED',
      `partition ${partition} was folded elsewhere beyond ${from}`,
    );
  for (const { offset, error } of folded.parked)
    logger.error({ partition, offset, err: error }, 'a record could not be folded and is parked');
}

/** The digest of a generation: the sum over its partitions, so that their count does not matter. */
export async function generationDigest(writer: GenerationWriter, partitions: number): Promise<string> {
  const digests: string[] = [];
  for (let partition = 0; partition < partitions; partition++)
    digests.push((await writer.checkpoint(partition)).digest);
  return addDigests(...digests);
}
