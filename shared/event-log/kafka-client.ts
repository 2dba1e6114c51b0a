import kafkajs, { type Kafka, type SASLOptions } from 'kafkajs';
import type { Logger } from 'pino';
import { FatalError } from '../errors.ts';

export interface KafkaSettings {
  /** `host:port` each. */
  brokers: string[];
  /** What the names of topics, groups and transactional ids begin with. */
  prefix: string;
  /** Of a log that is made anew. */
  partitions: number;
  /** Replicas of the topics that are made anew. */
  replication: number;
  tls: boolean;
  /** `<plain|scram-sha-256|scram-sha-512>:<user>:<password>`; undefined where no login is asked for. */
  sasl: string | undefined;
  logger: Logger;
  /** How long a follower's reading or its membership may stand still before it begins anew; 60,000 ms where absent. */
  stallMs?: number;
}

/**
 * The driver, logging quietly: what fails in the end is thrown, and told by whoever cannot go on. Its
 * short retries bridge a leader's move; a longer outage is for the callers, who know what to do about it.
 */
export function kafkaClient({ brokers, prefix, tls, sasl, logger }: KafkaSettings): Kafka {
  return new kafkajs.Kafka({
    clientId: prefix,
    brokers,
    ...(tls && { ssl: true }),
    ...(sasl !== undefined && { sasl: saslOptions(sasl) }),
    connectionTimeout: 5000,
    retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 5 },
    logLevel: kafkajs.logLevel.INFO,
    logCreator: () => (entry) => logger.debug({ kafka: entry.namespace }, entry.log.message),
  });
}

function saslOptions(sasl: string): SASLOptions {
  const [mechanism, username = '', ...rest] = sasl.split(':');
  // A password may hold colons.
  const login = { username, password: rest.join(':') };
  switch (mechanism) {
    case 'plain':
    case 'scram-sha-256':
    case 'scram-sha-512':
      return { mechanism, ...login };
    default:
      throw new FatalError(
        'KAFKA_SASL',
        'KAFKA_SASL begins with an unknown mechanism: use plain, scram-sha-256 or scram-sha-512',
      );
  }
}
