import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDataFolder } from './data-folder.ts';
import { openEmbeddedEventLog } from './event-log/embedded.ts';
import type { EventLog } from './event-log/event-log.ts';
import { createLogger } from './logger.ts';
import { openEmbeddedReadStore } from './read-store/embedded.ts';
import type { ReadStore } from './read-store/read-store.ts';
import { openEmbeddedRevocationList } from './revocations/embedded.ts';
import type { RevocationList, RevokedToken } from './revocations/revocation-list.ts';

/** The three ports, opened on the adapters that the configuration names. */
export interface Stores {
  log: EventLog;
  store: ReadStore;
  revocations: RevocationList;
  close(): Promise<void>;
}

/** What could not all be opened is closed again. */
export async function openStores(
  config: Config,
  logger: Logger = createLogger(config.LOG_LEVEL),
): Promise<Stores> {
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const port of opened.splice(0).reverse()) await port.close();
  };
  const kept = <T extends { close(): Promise<void> }>(port: T): T => {
    opened.push(port);
    return port;
  };
  try {
    const log = kept(await openEventLog(config, logger));
    const store = kept(await openReadStore(config, logger));
    const revocations = kept(await openRevocationList(config, logger));
    return { log, store, revocations, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the stores for one use. */
export async function withStores<T>(config: Config, use: (stores: Stores) => Promise<T>): Promise<T> {
  return using(await openStores(config), use);
}

/** Closes what was opened for one use, however that ends. */
export async function using<P extends { close(): Promise<void> }, T>(
  port: P,
  use: (port: P) => Promise<T>,
): Promise<T> {
  try {
    return await use(port);
  } finally {
    await port.close();
  }
}

// A server's client is loaded where it is configured, and nowhere else.

export async function openEventLog(
  config: Config,
  logger: Logger = createLogger(config.LOG_LEVEL),
): Promise<EventLog> {
  const partitions = config.LOG_PARTITIONS;
  if (config.KAFKA_BROKERS.length === 0) return openEmbeddedEventLog(await dataFolder(config), partitions);
  const { openKafkaEventLog } = await import('./event-log/kafka.ts');
  const {
    KAFKA_BROKERS: brokers,
    KAFKA_PREFIX: prefix,
    KAFKA_REPLICATION: replication,
    KAFKA_TLS: tls,
    KAFKA_SASL: sasl,
  } = config;
  return openKafkaEventLog({ brokers, prefix, partitions, replication, tls, sasl, logger });
}

export async function openReadStore(
  config: Config,
  logger: Logger = createLogger(config.LOG_LEVEL),
): Promise<ReadStore> {
  if (config.MONGODB_URL === undefined) return openEmbeddedReadStore(await dataFolder(config));
  const { openMongoReadStore } = await import('./read-store/mongo.ts');
  return openMongoReadStore({ url: config.MONGODB_URL, database: config.MONGODB_DATABASE, logger });
}

export async function openRevocationList(
  config: Config,
  logger: Logger = createLogger(config.LOG_LEVEL),
): Promise<RevocationList> {
  if (config.REDIS_URL === undefined) return openEmbeddedRevocationList(await dataFolder(config));
  const { openRedisRevocationList } = await import('./revocations/redis.ts');
  return openRedisRevocationList({ url: config.REDIS_URL, prefix: config.REDIS_PREFIX, logger });
}

/** Makes the list with these entries in it, or adds them to the one there is; the embedded one makes itself. */
export async function makeRevocationList(
  config: Config,
  entries: readonly RevokedToken[] = [],
): Promise<'created' | 'exists'> {
  if (config.REDIS_URL !== undefined) {
    const { initRedisRevocations } = await import('./revocations/redis.ts');
    const logger = createLogger(config.LOG_LEVEL);
    return initRedisRevocations({ url: config.REDIS_URL, prefix: config.REDIS_PREFIX, logger }, entries);
  }
  await using(await openRevocationList(config), async (list) => {
    for (const entry of entries) await list.revoke(entry);
  });
  return 'exists';
}

/** The folder that embedded stores are in: a process without any needs none. */
async function dataFolder(config: Config): Promise<string> {
  await openDataFolder(config.DATA_DIR);
  return config.DATA_DIR;
}
