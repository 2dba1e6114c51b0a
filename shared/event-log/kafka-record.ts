import type { Message } from 'kafkajs';
import { FatalError, InvalidInputError } from '../errors.ts';
import type { KafkaMessage } from './kafka-fetcher.ts';
import { MAX_MESSAGE_BYTES } from './kafka-topics.ts';
import { partitionOf } from './partition.ts';
import type { LogRecord } from './record.ts';

/** What a message takes beside its key and value, generously. */
const OVERHEAD_BYTES = 200;

/** A message that is ready to be sent, with its topic and size. */
export interface Outgoing {
  topic: string;
  message: Message & { partition: number };
  bytes: number;
}

/**
 * A record as a message: key = DAO, value = its JSON. Without its dense offset, which is known once the
 * append's turn has come.
 */
export function recordMessage(topic: string, record: LogRecord, partitions: number): Outgoing {
  const value = Buffer.from(JSON.stringify(record));
  const partition = partitionOf(record.dao, partitions);
  return outgoing(topic, { partition, key: record.dao, value });
}

/** A state entry as a message; null as the tombstone that compaction removes. */
export function stateMessage(topic: string, key: string, value: unknown): Outgoing {
  const json = value === null ? null : JSON.stringify(value);
  if (json === undefined)
    throw new InvalidInputError('STATE_NOT_JSON', `The value of the state entry "${key}" is not JSON`);
  return outgoing(topic, { partition: 0, key, value: json === null ? null : Buffer.from(json) });
}

/** The record's dense offset, which the writer gave it. */
export function denseOffset({ headers, offset }: KafkaMessage): number {
  const dense = Number(headers['offset']?.toString() ?? Number.NaN);
  if (Number.isSafeInteger(dense)) return dense;
  throw new FatalError(
    'LOG_FORMAT',
    `The message at ${offset} of the records' topic has no header "offset": it was not written by this program; ` +
      'begin a new log with another KAFKA_PREFIX',
  );
}

/** Refuses what no broker of this log would take. */
export function outgoing(
  topic: string,
  message: { partition: number; key: string; value: Buffer | null },
): Outgoing {
  const bytes = OVERHEAD_BYTES + Buffer.byteLength(message.key) + (message.value?.length ?? 0);
  if (bytes > MAX_MESSAGE_BYTES)
    throw new InvalidInputError(
      'RECORD_TOO_LARGE',
      `A message of ${bytes} bytes for ${topic} does not fit the ${MAX_MESSAGE_BYTES} that Kafka was told to take`,
    );
  return { topic, message, bytes };
}
