import type { Kafka } from 'kafkajs';
import type {
  EventLog,
  FollowOptions,
  LogBatch,
  LogWriter,
  PartitionEnd,
  RawBatch,
  Subscription,
} from './event-log.ts';
import { type KafkaSettings, kafkaClient } from './kafka-client.ts';
import { EndsReader, partitionEnds } from './kafka-ends.ts';
import { kafkaError } from './kafka-errors.ts';
import { KafkaFetcher } from './kafka-fetcher.ts';
import { KafkaFollower } from './kafka-follower.ts';
import { PartitionReader, stalled, storedRecord } from './kafka-partition.ts';
import { RequestsTopic } from './kafka-requests.ts';
import { ensureTopics, type Topics, topicsOf } from './kafka-topics.ts';
import { KafkaWriter } from './kafka-writer.ts';

const SCAN_RECORDS = 1000;
const STALL_MS = 60_000;

/**
 * The log in the topics of kafka-topics.ts, which are made where they are missing. FatalErrors where
 * what is there does not fit (`LOG_PARTITIONS_FIXED`, `KAFKA_TOPIC_SETTINGS`) or Kafka refuses
 * (`KAFKA_REFUSED`); a RetryableError `KAFKA_UNAVAILABLE` where no broker can be reached.
 */
export async function openKafkaEventLog(settings: KafkaSettings): Promise<EventLog> {
  const kafka = kafkaClient(settings);
  const topics = topicsOf(settings.prefix);
  try {
    await ensureTopics(kafka, topics, settings);
  } catch (error) {
    throw kafkaError(`to open the log at ${settings.brokers.join(',')}`, error);
  }
  return new KafkaEventLog(kafka, topics, settings);
}

class KafkaEventLog implements EventLog {
  readonly partitions: number;
  private readonly kafka: Kafka;
  private readonly topics: Topics;
  private readonly settings: KafkaSettings;
  private readonly fetcher: KafkaFetcher;
  private readonly endsReader: EndsReader;
  private readonly requests: RequestsTopic;
  private readonly writers = new Set<KafkaWriter>();
  private readonly subscriptions = new Set<Subscription>();

  constructor(kafka: Kafka, topics: Topics, settings: KafkaSettings) {
    this.partitions = settings.partitions;
    this.kafka = kafka;
    this.topics = topics;
    this.settings = settings;
    this.fetcher = new KafkaFetcher(kafka);
    this.endsReader = new EndsReader(this.fetcher, topics.ends, this.partitions);
    this.requests = new RequestsTopic(kafka, this.fetcher, topics.requests);
  }

  async openWriter(): Promise<LogWriter> {
    const transactionalId = `${this.settings.prefix}.indexer`;
    const writer = new KafkaWriter(this.kafka, this.topics, transactionalId, this.partitions);
    await writer.takeOver();
    this.writers.add(writer);
    return writer;
  }

  async ends(): Promise<PartitionEnd[]> {
    return partitionEnds(await this.endsReader.current());
  }

  async *scan(partition: number, from: number, to: number): AsyncGenerator<LogBatch> {
    for await (const { values, ...batch } of this.scanRaw(partition, from, to))
      yield {
        ...batch,
        records: values.map((value, index) => storedRecord(partition, batch.from + index, value)),
      };
  }

  async *scanRaw(partition: number, from: number, to: number): AsyncGenerator<RawBatch> {
    const { partitions, asOf } = await this.endsReader.current();
    const hint = partitions[partition];
    if (!hint) return;
    const reader = new PartitionReader(this.fetcher, this.topics.records, partition);
    const last = Math.min(to, hint.end);
    const { stallMs = STALL_MS } = this.settings;
    let progress = performance.now();
    for (let offset = from; offset < last; ) {
      const values = await reader.readRaw(offset, last, hint, SCAN_RECORDS);
      // The marker of a transaction that is committed may still be on its way to this partition.
      if (values.length === 0) {
        if (performance.now() - progress > stallMs) throw stalled(partition, offset, stallMs);
        continue;
      }
      const next = offset + values.length;
      yield { partition, from: offset, to: next, values, asOf: next === hint.end ? asOf : null };
      offset = next;
      progress = performance.now();
    }
  }

  async follow(options: FollowOptions): Promise<Subscription> {
    const { kafka, topics, partitions } = this;
    const { prefix, logger, stallMs = STALL_MS } = this.settings;
    const current = () => this.endsReader.current();
    const follower = new KafkaFollower(
      { kafka, topics, partitions, prefix, logger, stallMs, current },
      options,
    );
    this.subscriptions.add(follower);
    return follower;
  }

  requestTracking(dao: string, tracked: boolean): Promise<void> {
    return this.requests.put(dao, tracked);
  }

  trackingRequests(): Promise<Map<string, boolean>> {
    return this.requests.all();
  }

  async close(): Promise<void> {
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    await Promise.all([...this.writers].map((writer) => writer.close()));
    await this.fetcher.close();
  }
}
