import kafkajs, { type Broker, type Cluster, type Kafka } from 'kafkajs';
import pLimit, { type LimitFunction } from 'p-limit';
import pRetry from 'p-retry';
import { FatalError, RetryableError } from '../errors.ts';
import { kafkaError } from './kafka-errors.ts';

/** The broker's word for "without what is not committed". */
const READ_COMMITTED = 1;
/** Longer than any request of the driver's with its retries of connecting. */
const HANGING_MS = 60_000;
const FETCH_BYTES = 4 * 1024 * 1024;

export interface KafkaMessage {
  offset: number;
  key: Buffer;
  value: Buffer | null;
  headers: Record<string, Buffer | undefined>;
}

export interface Fetched {
  /** Committed ones alone, from the asked offset on. */
  messages: KafkaMessage[];
  /** The Kafka offset to go on from. */
  next: number;
  /** The last stable offset: all before it is decided, committed or aborted. */
  end: number;
}

export interface FetchOptions {
  /** How long the broker waits for something to be there; 0 where absent. */
  waitMs?: number;
  /** How much is fetched at once, 4 MB where absent; one batch of the broker's is, however large. */
  maxBytes?: number;
}

interface Request extends FetchOptions {
  topic: string;
  partition: number;
  from: number;
}

/**
 * Reads partitions from wherever it is asked to, without a consumer group. kafkajs reads as a member of
 * a group alone, but hands its connections to assigners of partitions, and those can fetch. One fetch
 * that waits keeps others on the same connections waiting.
 */
export class KafkaFetcher {
  private readonly kafka: Kafka;
  private cluster: Promise<Cluster> | null = null;
  private readonly inTurn = new Map<string, LimitFunction>();
  private closed = false;

  constructor(kafka: Kafka) {
    this.kafka = kafka;
  }

  /** One attempt. A RetryableError where the broker cannot be asked; the next one connects anew. */
  async fetch(topic: string, partition: number, from: number, options: FetchOptions = {}): Promise<Fetched> {
    if (this.closed) throw new FatalError('LOG_CLOSED', 'The log was closed');
    this.cluster ??= connect(this.kafka);
    const connecting = this.cluster;
    try {
      return await this.fetchFrom(await connecting, { topic, partition, from, ...options });
    } catch (error) {
      if (outOfRange(error)) throw lost(topic, from);
      // Whatever it was (a leader that moved, a broken socket), fresh connections know the way.
      if (this.cluster === connecting) this.cluster = null;
      throw kafkaError(`reading ${topic}/${partition} at ${from}`, error);
    } finally {
      // Also where another fetch gave these connections up, or `close` did: this one has opened them again.
      if (this.closed || this.cluster !== connecting) void disconnect(connecting);
    }
  }

  /** The same, tried again for some seconds: for those who cannot wait for better times themselves. */
  patientFetch(topic: string, partition: number, from: number, options?: FetchOptions): Promise<Fetched> {
    return pRetry(() => this.fetch(topic, partition, from, options), {
      retries: 7,
      minTimeout: 100,
      maxTimeout: 3000,
      shouldRetry: ({ error }) => error instanceof RetryableError && !this.closed,
    });
  }

  /** One after the other of each broker, which would not answer sooner: kafkajs opens a socket for each at once. */
  private async fetchFrom(cluster: Cluster, request: Request): Promise<Fetched> {
    const { topic, partition, from } = request;
    const nodeId = await inTime(leaderOf(cluster, topic, partition));
    const inTurn = this.inTurn.get(nodeId) ?? pLimit(1);
    this.inTurn.set(nodeId, inTurn);
    const fetching = async () => fetchOnce(await cluster.findBroker({ nodeId }), request);
    return visible(await inTurn(() => inTime(fetching())), from);
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.cluster) await disconnect(this.cluster);
  }
}

async function connect(kafka: Kafka): Promise<Cluster> {
  const handed: Cluster[] = [];
  kafka.consumer({
    groupId: 'never-joined',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (config) => {
        handed.push(config.cluster);
        return kafkajs.PartitionAssigners.roundRobin(config);
      },
    ],
  });
  const [cluster] = handed;
  if (!cluster)
    throw new FatalError('KAFKAJS_VERSION', 'kafkajs handed over no connections: use its version 2.2');
  await cluster.connect();
  return cluster;
}

async function disconnect(connecting: Promise<Cluster>): Promise<void> {
  await connecting.then((cluster) => cluster.disconnect()).catch(() => undefined);
}

/** The driver's requests end by themselves; what it does between them has been seen not to. */
function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(new RetryableError('KAFKA_UNAVAILABLE', 'Kafka did not answer a fetch in time'));
    const timer = setTimeout(late, HANGING_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function leaderOf(cluster: Cluster, topic: string, partition: number): Promise<string> {
  await cluster.addTargetTopic(topic);
  await cluster.refreshMetadataIfNecessary();
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  if (nodeId === undefined)
    throw new RetryableError('KAFKA_UNAVAILABLE', `${topic}/${partition} has no leader`);
  return nodeId;
}

/** What kafkajs decodes of a partition's fetch response, version 4 or later. */
interface PartitionResponse {
  lastStableOffset: string;
  abortedTransactions: { producerId: string; firstOffset: string }[] | null;
  messages: {
    offset: string;
    key: Buffer | null;
    value: Buffer | null;
    headers: Record<string, Buffer | undefined>;
    isControlRecord: boolean;
    batchContext: {
      firstOffset: string;
      lastOffsetDelta: number;
      producerId: string;
      inTransaction: boolean;
    };
  }[];
}

async function fetchOnce(broker: Broker, request: Request): Promise<PartitionResponse> {
  const { topic, partition, from, waitMs = 0, maxBytes = FETCH_BYTES } = request;
  const { responses } = await broker.fetch({
    isolationLevel: READ_COMMITTED,
    maxWaitTime: waitMs,
    minBytes: 1,
    maxBytes,
    topics: [{ topic, partitions: [{ partition, fetchOffset: String(from), maxBytes }] }],
  });
  const [response] = responses[0]?.partitions ?? [];
  if (!response)
    throw new RetryableError('KAFKA_UNAVAILABLE', `Kafka answered nothing for ${topic}/${partition}`);
  return response;
}

/** Leaves out markers, what was aborted, and what the broker's batches hold before `from`. */
function visible(
  { messages, lastStableOffset, abortedTransactions }: PartitionResponse,
  from: number,
): Fetched {
  const end = Number(lastStableOffset);
  const aborted = (abortedTransactions ?? [])
    .map(({ producerId, firstOffset }) => ({ producerId, firstOffset: Number(firstOffset) }))
    .sort((a, b) => a.firstOffset - b.firstOffset);
  const aborting = new Set<string>();
  const committed: KafkaMessage[] = [];
  let next = from;
  for (const { offset: text, key, value, headers, isControlRecord, batchContext } of messages) {
    const { firstOffset, lastOffsetDelta, producerId, inTransaction } = batchContext;
    const offset = Number(text);
    // A compacted batch reaches further than its last message.
    next = Math.max(next, Number(firstOffset) + lastOffsetDelta + 1);
    for (let first = aborted[0]; first && first.firstOffset <= offset; first = aborted[0]) {
      aborting.add(first.producerId);
      aborted.shift();
    }
    // The marker's key: version and type, 16 bits each; 0 aborts, 1 commits.
    if (isControlRecord) {
      if (key?.readInt16BE(2) === 0) aborting.delete(producerId);
    } else if (offset >= from && !(inTransaction && aborting.has(producerId))) {
      committed.push({ offset, key: key ?? Buffer.alloc(0), value, headers });
    }
  }
  // Compaction leaves batches without a message, which the driver passes over in silence.
  if (messages.length === 0 && from < end) next = end;
  return { messages: committed, next, end };
}

function outOfRange(error: unknown): boolean {
  return error instanceof Error && error.name === 'KafkaJSOffsetOutOfRange';
}

function lost(topic: string, from: number): FatalError {
  return new FatalError(
    'LOG_DAMAGED',
    `The topic ${topic} does not hold Kafka offset ${from} any more: records were deleted, or the topic was ` +
      'made anew; restore it from a backup, or begin a new log with another KAFKA_PREFIX',
  );
}
