import type { Kafka } from 'kafkajs';
import pLimit from 'p-limit';
import { kafkaError } from './kafka-errors.ts';
import type { KafkaFetcher } from './kafka-fetcher.ts';

/** The tracking requests: read again and again, so each message once. */
export class RequestsTopic {
  private readonly kafka: Kafka;
  private readonly fetcher: KafkaFetcher;
  private readonly topic: string;
  private readonly inTurn = pLimit(1);
  private readonly known = new Map<string, boolean>();
  private position = 0;

  constructor(kafka: Kafka, fetcher: KafkaFetcher, topic: string) {
    this.kafka = kafka;
    this.fetcher = fetcher;
    this.topic = topic;
  }

  /** Any process may: the last one stands. */
  async put(dao: string, tracked: boolean): Promise<void> {
    const producer = this.kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner: () => () => 0,
    });
    try {
      await producer.connect();
      await producer.send({ topic: this.topic, messages: [{ key: dao, value: String(tracked) }] });
    } catch (error) {
      throw kafkaError('a tracking request', error);
    } finally {
      await producer.disconnect().catch(() => undefined);
    }
  }

  /** All that were made before it was asked for. */
  all(): Promise<Map<string, boolean>> {
    return this.inTurn(async () => {
      for (let end = this.position + 1; this.position < end; ) {
        const fetched = await this.fetcher.patientFetch(this.topic, 0, this.position);
        for (const { key, value } of fetched.messages)
          this.known.set(key.toString(), String(value) === 'true');
        this.position = fetched.next;
        end = fetched.end;
      }
      return new Map(this.known);
    });
  }
}
