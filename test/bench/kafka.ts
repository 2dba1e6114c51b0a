import kafkajs, { type Kafka } from 'kafkajs';
import { pino } from 'pino';
import type { EventLog } from '../../shared/event-log/event-log.ts';
import { openKafkaEventLog } from '../../shared/event-log/kafka.ts';
import { type Topics, topicsOf } from '../../shared/event-log/kafka-topics.ts';
import { withAdmin } from '../services/event-log/kafka-subject.ts';
import { atEnd, OWN_NAME, serverUrl } from './servers.ts';

export interface OwnLog {
  log: EventLog;
  /** What its topics begin with. */
  prefix: string;
  topics: Topics;
}

/** An empty log of its own with one partition, and its topics; they are gone at the end. */
export async function ownLog(name: string): Promise<OwnLog> {
  const brokers = await serverUrl('kafka');
  const prefix = `${OWN_NAME}.${name}`;
  atEnd(() => removeFrom(brokers, `${prefix}.`));
  const log = await openKafkaEventLog({
    brokers: brokers.split(','),
    prefix,
    partitions: 1,
    replication: 1,
    tls: false,
    sasl: undefined,
    logger: pino({ level: 'silent' }),
  });
  atEnd(() => log.close());
  return { log, prefix, topics: topicsOf(prefix) };
}

/** The driver alone. */
export async function bareKafka(): Promise<Kafka> {
  return new kafkajs.Kafka({
    brokers: (await serverUrl('kafka')).split(','),
    logLevel: kafkajs.logLevel.NOTHING,
  });
}

async function removeFrom(brokers: string, prefix: string): Promise<void> {
  await withAdmin(brokers, async (admin) => {
    const { groups } = await admin.listGroups();
    const own = groups.map(({ groupId }) => groupId).filter((group) => group.startsWith(prefix));
    if (own.length > 0) await admin.deleteGroups(own);
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  });
}
