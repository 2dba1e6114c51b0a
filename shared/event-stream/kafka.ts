import type { Kafka } from 'kafkajs';
import { RetryableError } from '../errors.ts';
import { type KafkaSettings, kafkaClient } from '../event-log/kafka-client.ts';
import { isFenced, kafkaError } from '../event-log/kafka-errors.ts';
import { KafkaFetcher } from '../event-log/kafka-fetcher.ts';
import type { Outgoing } from '../event-log/kafka-record.ts';
import { sendAll, TransactionalProducer } from '../event-log/kafka-transaction.ts';
import type { EventBatch, EventStream } from './event-stream.ts';
import { ensureStreamTopics, type StreamTopics, streamTopicsOf } from './kafka-topics.ts';

/** What a message takes beside its key and value, generously. */
const OVERHEAD_BYTES = 200;

/**
 * The stream in the topics of kafka-topics.ts, which are made where they are missing. A FatalError
 * `EVENTS_PARTITIONS` where they have another number of partitions than the log.
 */
export async function openKafkaEventStream(settings: KafkaSettings): Promise<EventStream> {
  const kafka = kafkaClient(settings);
  const topics = streamTopicsOf(settings.prefix);
  try {
    await ensureStreamTopics(kafka, topics, settings);
  } catch (error) {
    throw kafkaError(`to open the topic ${topics.events}`, error);
  }
  return new KafkaEventStream(kafka, topics, settings.prefix);
}

/** A partition that was taken over. */
interface Held {
  producer: TransactionalProducer;
  position: number;
}

/**
 * One transactional id for each partition and one Kafka transaction for each batch: its events, and the
 * position after it in the same partition of the topic of positions. Nobody else writes there, so that
 * once the id is taken, the last position that readers are shown is the truth.
 */
class KafkaEventStream implements EventStream {
  private readonly kafka: Kafka;
  private readonly topics: StreamTopics;
  private readonly prefix: string;
  private readonly fetcher: KafkaFetcher;
  private readonly held = new Map<number, Held>();

  constructor(kafka: Kafka, topics: StreamTopics, prefix: string) {
    this.kafka = kafka;
    this.topics = topics;
    this.prefix = prefix;
    this.fetcher = new KafkaFetcher(kafka);
  }

  async position(partition: number): Promise<number> {
    await this.release(partition);
    const producer = new TransactionalProducer(this.kafka, `${this.prefix}.events.${partition}`);
    try {
      await producer.take();
      const position = await this.lastPosition(partition);
      this.held.set(partition, { producer, position });
      return position;
    } catch (error) {
      await producer.discard();
      throw kafkaError(`to hand over partition ${partition} of ${this.topics.events}`, error);
    }
  }

  async publish(batch: EventBatch): Promise<void> {
    const { partition, from, to } = batch;
    const held = this.held.get(partition);
    if (held?.position !== from) throw moved(partition, from);
    try {
      const transaction = await held.producer.begin();
      await sendAll(transaction, this.messagesOf(batch));
      await transaction.commit();
      held.position = to;
    } catch (error) {
      // The next one to take the id ends the transaction, if the broker has not: there is no need to.
      await this.release(partition);
      throw isFenced(error)
        ? moved(partition, from, error)
        : kafkaError(`events of partition ${partition}`, error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.held.keys()].map((partition) => this.release(partition)));
    await this.fetcher.close();
  }

  private async release(partition: number): Promise<void> {
    const held = this.held.get(partition);
    this.held.delete(partition);
    await held?.producer.discard();
  }

  /** Compaction keeps the topic short. */
  private async lastPosition(partition: number): Promise<number> {
    let position = 0;
    for (let at = 0; ; ) {
      const { messages, next, end } = await this.fetcher.patientFetch(this.topics.positions, partition, at);
      const last = messages.at(-1)?.value;
      if (last) position = Number(last.toString());
      at = next;
      if (at >= end) return position;
    }
  }

  private messagesOf({ partition, to, events }: EventBatch): Outgoing[] {
    const { events: topic, positions } = this.topics;
    return [
      ...events.map(({ dao, json }) => outgoing(topic, partition, dao, json)),
      outgoing(positions, partition, 'position', String(to)),
    ];
  }
}

function outgoing(topic: string, partition: number, key: string, text: string): Outgoing {
  const value = Buffer.from(text);
  return { topic, message: { partition, key, value }, bytes: OVERHEAD_BYTES + key.length + value.length };
}

function moved(partition: number, from: number, cause?: unknown): RetryableError {
  return new RetryableError(
    'STREAM_POSITION',
    `Partition ${partition} of the events does not go on from offset ${from}: another publisher has it, or had it`,
    cause,
  );
}
