import type { Logger } from 'pino';
import { RetryableError } from '../shared/errors.ts';
import type { EventLog, LogBatch, Subscription } from '../shared/event-log/event-log.ts';
import type { Generation, GenerationWriter, ReadStore } from '../shared/read-store/read-store.ts';
import { addDigests } from './digest.ts';
import { foldBatch } from './fold-batch.ts';
import { ownGeneration } from './generations.ts';
import { tallied } from './unknown.ts';

export interface ProjectorOptions {
  log: EventLog;
  store: ReadStore;
  logger: Logger;
  maxRecords?: number;
}

export interface Projector {
  generation: Generation;
  /** Ends after the batches in flight. */
  stop(): Promise<void>;
}

/** Follows the log and folds it into the generation of this process's version. */
export async function startProjector(options: ProjectorOptions): Promise<Projector> {
  const { log, store, logger } = options;
  const generation = await ownGeneration(store, log.partitions);
  const writer = await store.openWriter(generation.id);
  if (!generation.live)
    logger.warn({ generation: generation.id }, 'folding a generation that is not live until it is promoted');
  const subscription: Subscription = await log.follow({
    group: `projector-${generation.id}`,
    checkpoint: async (partition) => (await writer.checkpoint(partition)).offset,
    handle: (batch) => project(batch, writer, logger),
    failed: (partition, error) =>
      logger.error({ partition, err: error }, 'a batch failed and is tried again'),
    ...(options.maxRecords !== undefined && { maxRecords: options.maxRecords }),
  });
  return {
    generation,
    stop: async () => {
      await subscription.stop();
      await writer.close();
    },
  };
}

/**
 * Folds one batch and commits it with its checkpoint. Records that cannot be folded are parked;
 * whatever else fails (the store, a writer that was here first) throws, so that the partition is
 * read again from its checkpoint.
 */
export async function project(batch: LogBatch, writer: GenerationWriter, logger: Logger): Promise<void> {
  const { partition, from, to } = batch;
  const checkpoint = await writer.checkpoint(partition);
  const folded = await foldBatch(batch.records, (keys) => writer.load(keys));
  const outcome = await writer.commit({
    partition,
    base: { offset: from, edits: checkpoint.edits },
    checkpoint: {
      ...checkpoint,
      offset: to,
      asOf: batch.asOf ?? checkpoint.asOf,
      digest: addDigests(checkpoint.digest, folded.digest),
      tally: tallied(checkpoint.tally, folded.unknown),
    },
    documents: folded.documents,
  });
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
