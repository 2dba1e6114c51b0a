import type { Logger } from 'pino';
import type { EventLog, LogBatch } from '../../shared/event-log/event-log.ts';
import type { EventBatch, EventStream } from '../../shared/event-stream/event-stream.ts';
import { rowsOf } from './event-row.ts';
import { ndjsonLine } from './ndjson.ts';
import { rowFilter } from './select-rows.ts';

export interface PublisherOptions {
  log: EventLog;
  stream: EventStream;
  logger: Logger;
  maxRecords?: number;
}

export interface EventPublisher {
  /** Ends after the batches in flight. */
  stop(): Promise<void>;
}

/** Follows the log and publishes the rows that `export` writes of it, each once, in the partition of its record. */
export async function startEventPublisher(options: PublisherOptions): Promise<EventPublisher> {
  const { log, stream, logger, maxRecords } = options;
  return log.follow({
    group: 'events',
    checkpoint: (partition) => stream.position(partition),
    handle: async (batch) => {
      // Only the as-of moved.
      if (batch.to > batch.from) await stream.publish(eventsOf(batch));
    },
    failed: (partition, error) =>
      logger.error({ partition, err: error }, 'events could not be published and are tried again'),
    ...(maxRecords !== undefined && { maxRecords }),
  });
}

const isPublished = rowFilter({});

function eventsOf({ partition, from, to, records }: LogBatch): EventBatch {
  const events = records
    .flatMap(rowsOf)
    .filter(isPublished)
    .map((row) => ({ dao: row.dao, json: ndjsonLine(row) }));
  return { partition, from, to, events };
}
