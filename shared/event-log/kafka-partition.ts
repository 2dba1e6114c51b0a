import { FatalError, RetryableError } from '../errors.ts';
import type { PartitionHint } from './kafka-ends.ts';
import type { Fetched, KafkaFetcher, KafkaMessage } from './kafka-fetcher.ts';
import { locate } from './kafka-locate.ts';
import { denseOffset } from './kafka-record.ts';
import type { LogRecord, StoredRecord } from './record.ts';

const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const LOOK_BYTES = 64 * 1024;
/** How long the broker waits for the marker of a transaction that is known to be committed. */
const MARKER_WAIT_MS = 500;
const NOTHING = Buffer.from('null');

/** Reads one partition of the records by dense offsets, a fetch ahead of what is asked for. */
export class PartitionReader {
  private readonly fetcher: KafkaFetcher;
  private readonly topic: string;
  private readonly partition: number;
  /** Fetched and not handed out. */
  private buffered: KafkaMessage[] = [];
  private taken = 0;
  /** Dense offset of what is handed out next, and the Kafka offset of what is fetched next. */
  private position: { dense: number; kafka: number } | null = null;
  private ahead: Promise<Fetched> | null = null;

  constructor(fetcher: KafkaFetcher, topic: string, partition: number) {
    this.fetcher = fetcher;
    this.topic = topic;
    this.partition = partition;
  }

  /**
   * Records from `from` on, no more than `maxRecords` and about 4 MB of them. `to` is at most a
   * committed end. Empty only where the broker does not show them yet, for half a second.
   */
  async read(from: number, to: number, hint: PartitionHint, maxRecords: number): Promise<StoredRecord[]> {
    const values = await this.readRaw(from, to, hint, maxRecords);
    return values.map((value, index) => storedRecord(this.partition, from + index, value));
  }

  /** The same, unparsed. */
  async readRaw(from: number, to: number, hint: PartitionHint, maxRecords: number): Promise<Buffer[]> {
    if (from >= to) return [];
    let position = this.position;
    if (position?.dense !== from) {
      this.forget();
      const kafka = await locate(from, hint, (at) =>
        this.fetcher.patientFetch(this.topic, this.partition, at, { maxBytes: LOOK_BYTES }),
      );
      position = { dense: from, kafka };
      this.position = position;
    }
    if (this.taken === this.buffered.length) await this.fill(position);
    return this.take(position, Math.min(to, from + maxRecords), to);
  }

  /** What is fetched counts for nothing: the next read finds its place anew. */
  forget(): void {
    this.position = null;
    this.buffered = [];
    this.taken = 0;
    this.ahead = null;
  }

  /** Kafka's offset of what is handed out next. */
  get kafkaOffset(): number {
    return this.buffered[this.taken]?.offset ?? this.position?.kafka ?? 0;
  }

  private async fill(position: { kafka: number }): Promise<void> {
    const fetching = this.ahead ?? this.fetchFrom(position.kafka);
    this.ahead = null;
    try {
      const { messages, next } = await fetching;
      position.kafka = next;
      this.buffered = messages;
      this.taken = 0;
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  private take(position: { dense: number; kafka: number }, limit: number, to: number): Buffer[] {
    const values: Buffer[] = [];
    for (let bytes = 0; position.dense < limit && bytes < MAX_BATCH_BYTES; ) {
      const message = this.buffered[this.taken];
      if (!message) break;
      const offset = denseOffset(message);
      // The place that was found may be a little before the record that was asked for.
      if (offset > position.dense) throw this.gap(position.dense, message);
      this.taken++;
      if (offset < position.dense) continue;
      const value = message.value ?? NOTHING;
      bytes += value.length;
      values.push(value);
      position.dense++;
    }
    const last = this.buffered.at(-1);
    if (!this.ahead && last && denseOffset(last) + 1 < to) {
      this.ahead = this.fetchFrom(position.kafka);
      this.ahead.catch(() => undefined);
    }
    return values;
  }

  private fetchFrom(kafka: number): Promise<Fetched> {
    return this.fetcher.patientFetch(this.topic, this.partition, kafka, { waitMs: MARKER_WAIT_MS });
  }

  private gap(dense: number, { offset, headers }: KafkaMessage): FatalError {
    return new FatalError(
      'LOG_DAMAGED',
      `The topic ${this.topic} lacks offset ${dense} of partition ${this.partition}: Kafka's ${offset} holds ` +
        `${headers['offset']?.toString()}; restore it from a backup, or begin a new log with another KAFKA_PREFIX`,
    );
  }
}

export function storedRecord(partition: number, offset: number, value: Buffer): StoredRecord {
  const record: LogRecord = JSON.parse(value.toString());
  return { partition, offset, record };
}

/** For those who have read nothing of what is committed for too long. */
export function stalled(partition: number, from: number, ms: number): RetryableError {
  return new RetryableError(
    'LOG_STALLED',
    `Kafka has not shown offset ${from} of partition ${partition} for ${ms} ms, though it is committed: ` +
      'is a replica or the transaction coordinator out of order?',
  );
}
