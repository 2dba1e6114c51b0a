import type { Kafka, Producer, RecordMetadata, TopicMessages, Transaction } from 'kafkajs';
import type { Outgoing } from './kafka-record.ts';

/** Of one produce request: far below what a broker takes, and short since the driver's work is quadratic in it. */
const REQUEST_BYTES = 4 * 1024 * 1024;
const REQUEST_MESSAGES = 2000;

/** The holder of a transactional id, whose connection can be replaced. */
export class TransactionalProducer {
  private readonly kafka: Kafka;
  private readonly transactionalId: string;
  private producer: Promise<Producer> | null = null;

  constructor(kafka: Kafka, transactionalId: string) {
    this.kafka = kafka;
    this.transactionalId = transactionalId;
  }

  /**
   * Takes the transactional id: the broker has ended whatever an earlier holder left open when this
   * resolves, and refuses all that comes from it after.
   */
  async take(): Promise<void> {
    await this.discard();
    const transaction = await this.begin();
    await transaction.abort();
  }

  /** The first one after a producer was discarded takes the transactional id anew. */
  async begin(): Promise<Transaction> {
    this.producer ??= connect(this.kafka, this.transactionalId);
    return (await this.producer).transaction();
  }

  /** After a transaction that failed kafkajs's producer cannot begin another one. */
  async discard(): Promise<void> {
    const producer = this.producer;
    this.producer = null;
    await producer?.then((connected) => connected.disconnect()).catch(() => undefined);
  }
}

/** Sends messages in order, in as few requests as their sizes allow; gives the broker's answers. */
export async function sendAll(transaction: Transaction, messages: Outgoing[]): Promise<RecordMetadata[]> {
  const answers: RecordMetadata[] = [];
  for (const request of requestsOf(messages))
    answers.push(...(await transaction.sendBatch({ topicMessages: byTopic(request) })));
  return answers;
}

async function connect(kafka: Kafka, transactionalId: string): Promise<Producer> {
  const producer = kafka.producer({
    transactionalId,
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
    // Right after a commit the coordinator asks for a few milliseconds of patience.
    retry: { initialRetryTime: 5, maxRetryTime: 1000, retries: 10 },
  });
  await producer.connect();
  return producer;
}

function requestsOf(messages: Outgoing[]): Outgoing[][] {
  const requests: Outgoing[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const last = requests.at(-1);
    bytes += message.bytes;
    if (last && bytes <= REQUEST_BYTES && last.length < REQUEST_MESSAGES) {
      last.push(message);
    } else {
      requests.push([message]);
      bytes = message.bytes;
    }
  }
  return requests;
}

function byTopic(messages: Outgoing[]): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, message } of messages) {
    const found = topics.get(topic) ?? { topic, messages: [] };
    found.messages.push(message);
    topics.set(topic, found);
  }
  return [...topics.values()];
}
