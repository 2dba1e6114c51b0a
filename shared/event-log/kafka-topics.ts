import kafkajs, { type Admin, type ITopicConfig, type Kafka } from 'kafkajs';
import pRetry from 'p-retry';
import { FatalError, InvalidInputError, RetryableError } from '../errors.ts';
import type { KafkaSettings } from './kafka-client.ts';

/** The largest message that is written: one record, or one produce request of many. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** The topics of a log. All but `records` have one partition and keep the last message of each key. */
export interface Topics {
  /** The records as record.ts says, keyed by DAO; the header `offset` holds the dense offset. */
  records: string;
  /** The writer's checkpoint and tracked accounts, keyed like the state's entries. */
  state: string;
  /** One key: where each partition ends, and as of what; see kafka-ends.ts. */
  ends: string;
  /** Tracking requests, keyed by DAO: `true` or `false`. */
  requests: string;
}

export function topicsOf(prefix: string): Topics {
  return {
    records: `${prefix}.records`,
    state: `${prefix}.state`,
    ends: `${prefix}.ends`,
    requests: `${prefix}.requests`,
  };
}

const RECORDS = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' };
const COMPACTED = { 'cleanup.policy': 'compact' };
/** The segment in use is never compacted: small ones keep a restart short. */
const SMALL_SEGMENTS = {
  'segment.ms': '3600000',
  'segment.bytes': '33554432',
  'min.cleanable.dirty.ratio': '0.1',
};

/**
 * Makes the topics that are missing. Those that are there are never altered: a FatalError names the
 * setting that would lose records or state, and how to mend it.
 */
export async function ensureTopics(kafka: Kafka, topics: Topics, settings: KafkaSettings): Promise<void> {
  const { partitions } = settings;
  if (!Number.isInteger(partitions) || partitions < 1) {
    throw new InvalidInputError('LOG_PARTITIONS', `The log needs one partition or more, not ${partitions}`);
  }
  const admin = kafka.admin();
  await admin.connect();
  try {
    const present = new Set(await admin.listTopics());
    const wanted = [
      topicConfig(topics.records, partitions, settings, RECORDS),
      ...compacted(topics).map((topic) =>
        topicConfig(topic, 1, settings, { ...COMPACTED, ...SMALL_SEGMENTS }),
      ),
    ];
    const missing = wanted.filter(({ topic }) => !present.has(topic));
    // Another process may make them in the same moment, which is as good.
    if (missing.length > 0) await admin.createTopics({ topics: missing, waitForLeaders: false });
    await waitForLeaders(admin, topics);
    if (missing.length < wanted.length) await checkSettings(admin, topics);
    await checkPartitions(admin, topics.records, partitions);
  } finally {
    await admin.disconnect();
  }
}

function compacted({ state, ends, requests }: Topics): string[] {
  return [state, ends, requests];
}

function topicConfig(
  topic: string,
  numPartitions: number,
  { replication }: KafkaSettings,
  config: Record<string, string>,
): ITopicConfig {
  const all = {
    ...config,
    'max.message.bytes': String(MAX_MESSAGE_BYTES),
    'min.insync.replicas': replication > 2 ? '2' : '1',
  };
  return {
    topic,
    numPartitions,
    replicationFactor: replication,
    configEntries: Object.entries(all).map(([name, value]) => ({ name, value })),
  };
}

/** A broker learns of new topics, and of their leaders, a little after they are made. */
async function waitForLeaders(admin: Admin, names: Topics): Promise<void> {
  const look = async () => {
    const { topics } = await admin.fetchTopicMetadata({ topics: Object.values(names) });
    const leaderless = topics.filter(({ partitions }) => partitions.some(({ leader }) => leader < 0));
    if (leaderless.length > 0)
      throw new RetryableError('KAFKA_UNAVAILABLE', `The topic ${leaderless[0]?.name} has no leader`);
  };
  await pRetry(look, { retries: 20, minTimeout: 20, maxTimeout: 1000 });
}

async function checkSettings(admin: Admin, topics: Topics): Promise<void> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: Object.values(topics).map((name: string) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
    })),
  });
  for (const { resourceName, configEntries } of resources) {
    const found = new Map(configEntries.map(({ configName, configValue }) => [configName, configValue]));
    const wanted = Object.entries(resourceName === topics.records ? RECORDS : COMPACTED);
    for (const [name, value] of wanted) {
      if (found.get(name) !== value) throw wrongSetting(resourceName, name, found.get(name), value);
    }
    if (Number(found.get('max.message.bytes')) < MAX_MESSAGE_BYTES)
      throw wrongSetting(
        resourceName,
        'max.message.bytes',
        found.get('max.message.bytes'),
        String(MAX_MESSAGE_BYTES),
      );
  }
}

/** A record's partition follows from the count, which therefore never changes. */
async function checkPartitions(admin: Admin, topic: string, configured: number): Promise<void> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const found = topics[0]?.partitions.length;
  if (found === configured) return;
  throw new FatalError(
    'LOG_PARTITIONS_FIXED',
    `The topic ${topic} was created with ${found} partitions, and ${configured} are configured: ` +
      `configure ${found}, or begin a new log with another KAFKA_PREFIX`,
  );
}

function wrongSetting(topic: string, name: string, found: string | undefined, value: string): FatalError {
  return new FatalError(
    'KAFKA_TOPIC_SETTINGS',
    `The topic ${topic} has ${name}=${found}, with which the log would lose or refuse data: run ` +
      `kafka-configs.sh --alter --topic ${topic} --add-config ${name}=${value}`,
  );
}
