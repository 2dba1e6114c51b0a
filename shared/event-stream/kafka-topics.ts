import type { Admin, Kafka } from 'kafkajs';
import { FatalError } from '../errors.ts';
import type { KafkaSettings } from '../event-log/kafka-client.ts';
import { MAX_MESSAGE_BYTES } from '../event-log/kafka-topics.ts';

/** The topics of the stream, each with the partitions of the log. */
export interface StreamTopics {
  /** The events, keyed by DAO: one JSON object each. */
  events: string;
  /** One key, `position`: the offset in the log that the partition's events go on from. */
  positions: string;
}

export function streamTopicsOf(prefix: string): StreamTopics {
  return { events: `${prefix}.events`, positions: `${prefix}.events-position` };
}

/** Whoever runs the brokers may let events expire: they can be exported again. */
const EVENTS = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' };
/** The segment in use is never compacted: small ones keep a restart short. */
const POSITIONS = {
  'cleanup.policy': 'compact',
  'segment.ms': '3600000',
  'segment.bytes': '1048576',
  'min.cleanable.dirty.ratio': '0.1',
};

/** Makes the topics that are missing; those that are there must have the partitions of the log. */
export async function ensureStreamTopics(
  kafka: Kafka,
  topics: StreamTopics,
  settings: KafkaSettings,
): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const present = new Set(await admin.listTopics());
    const wanted = [
      topicConfig(topics.events, EVENTS, settings),
      topicConfig(topics.positions, POSITIONS, settings),
    ];
    const missing = wanted.filter(({ topic }) => !present.has(topic));
    // Another process may make them in the same moment, which is as good.
    if (missing.length > 0) await admin.createTopics({ topics: missing, waitForLeaders: true });
    await checkPartitions(admin, topics, settings.partitions);
  } finally {
    await admin.disconnect();
  }
}

function topicConfig(
  topic: string,
  config: Record<string, string>,
  { partitions, replication }: KafkaSettings,
) {
  const all = {
    ...config,
    'max.message.bytes': String(MAX_MESSAGE_BYTES),
    'min.insync.replicas': replication > 2 ? '2' : '1',
  };
  return {
    topic,
    numPartitions: partitions,
    replicationFactor: replication,
    configEntries: Object.entries(all).map(([name, value]) => ({ name, value })),
  };
}

async function checkPartitions(
  admin: Admin,
  { events, positions }: StreamTopics,
  wanted: number,
): Promise<void> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [events, positions] });
  const wrong = topics.find(({ partitions }) => partitions.length !== wanted);
  if (!wrong) return;
  throw new FatalError(
    'EVENTS_PARTITIONS',
    `The topic ${wrong.name} has ${wrong.partitions.length} partitions and the log ${wanted}: ` +
      `delete ${events} and ${positions}, which are then made and filled anew from the log`,
  );
}
