import pRetry from 'p-retry';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDataFolder } from './data-folder.ts';
import { FatalError, RetryableError } from './errors.ts';
import { openEmbeddedEventLog } from './event-log/embedded.ts';
import type { EventLog } from './event-log/event-log.ts';
import type { EventStream } from './event-stream/event-stream.ts';
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

/** Each port is opened when it is first asked for, and the next time again where that failed. */
export interface StoreOpeners {
  log: () => Promise<EventLog>;
  store: () => Promise<ReadStore>;
  revocations: () => Promise<RevocationList>;
  /** Closes those that were opened. */
  close: () => Promise<void>;
}

export function storeOpeners(config: Config, logger: Logger = createLogger(config.LOG_LEVEL)): StoreOpeners {
  const opened: { close(): Promise<void> }[] = [];
  const once = <T extends { close(): Promise<void> }>(open: () => Promise<T>): (() => Promise<T>) => {
    let port: Promise<T> | undefined;
    const attempt = async () => {
      try {
        const found = await open();
        opened.push(found);
        return found;
      } catch (error) {
        port = undefined;
        throw error;
      }
    };
    return () => (port ??= attempt());
  };
  return {
    log: once(() => openEventLog(config, logger)),
    store: once(() => openReadStore(config, logger)),
    revocations: once(() => openRevocationList(config, logger)),
    close: async () => {
      for (const port of opened.splice(0).reverse()) await port.close();
    },
  };
}

/** What could not all be opened is closed again. */
export async function openStores(config: Config): Promise<Stores> {
  const open = storeOpeners(config);
  try {
    const [log, store, revocations] = [await open.log(), await open.store(), await open.revocations()];
    return { log, store, revocations, close: () => open.close() };
  } catch (error) {
    await open.close();
    throw error;
  }
}

/**
 * Waits for what is configured but cannot be reached: a process that starts before its servers goes
 * on when they are there. Rejects where waiting cannot help, and where `signal` ends it.
 */
export function whenReachable<T>(open: () => Promise<T>, logger: Logger, signal: AbortSignal): Promise<T> {
  return pRetry(open, {
    retries: Infinity,
    minTimeout: 500,
    maxTimeout: 10_000,
    signal,
    shouldRetry: ({ error }) => error instanceof RetryableError,
    onFailedAttempt: ({ error }) => {
      if (error instanceof RetryableError) logger.warn({ err: error }, 'waiting for a store');
    },
  });
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
  return openKafkaEventLog({ ...kafkaSettings(config), partitions, logger });
}

/** The topic of decoded events, of as many partitions as the log. */
export async function openEventStream(
  config: Config,
  partitions: number,
  logger: Logger,
): Promise<EventStream> {
  if (config.KAFKA_BROKERS.length === 0) {
    throw new FatalError('EVENTS_NEED_KAFKA', 'KAFKA_EVENTS is set without KAFKA_BROKERS: set both or none');
  }
  const { openKafkaEventStream } = await import('./event-stream/kafka.ts');
  return openKafkaEventStream({ ...kafkaSettings(config), partitions, logger });
}

function kafkaSettings(config: Config) {
  return {
    brokers: config.KAFKA_BROKERS,
    prefix: config.KAFKA_PREFIX,
    replication: config.KAFKA_REPLICATION,
    tls: config.KAFKA_TLS,
    sasl: config.KAFKA_SASL,
  };
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
