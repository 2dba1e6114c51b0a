import { resolve } from 'node:path';
import { z } from 'zod';
import { parseAddress } from './address.ts';
import { FatalError } from './errors.ts';

interface Key {
  meaning: string;
  /** As it would stand in the environment; undefined where there is none. */
  default: string | undefined;
  secret?: true;
}

const port = z.coerce.number().int().min(0).max(65535);
const list = z.string().transform((text) => text.split(',').flatMap((item) => item.trim() || []));
const address = z.string().transform((text, issues) => {
  try {
    return parseAddress(text);
  } catch {
    issues.addIssue('not an address');
    return z.NEVER;
  }
});
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const positive = z.coerce.number().positive();

function key<T extends z.ZodType>(meaning: string, fallback: string | undefined, schema: T, secret?: true) {
  return { meaning, default: fallback, schema, ...(secret && { secret }) } satisfies Key & { schema: T };
}

const keys = {
  DATA_DIR: key(
    'folder of the embedded stores',
    '.data',
    z
      .string()
      .min(1)
      .transform((path) => resolve(path)),
  ),
  NETWORK: key(
    '`mainnet` or `testnet`: form of the addresses in links',
    'mainnet',
    z.enum(['mainnet', 'testnet']),
  ),
  MINI_APP_URL: key(
    'mini app that contribution links lead into too: `https://t.me/<bot>/<app>`',
    undefined,
    z
      .string()
      .regex(/^https:\/\/t\.me\/\w{4,64}\/\w{1,64}$/)
      .optional(),
  ),
  TON_ENDPOINTS: key(
    'v4 API servers, comma-separated; the next one is asked where one fails',
    'https://mainnet-v4.tonhubapi.com',
    list.pipe(z.array(z.url()).min(1)),
  ),
  TON_REQUESTS_PER_SECOND: key('requests a second to one v4 server at most', '20', positive),
  TON_TIMEOUT_MS: key('milliseconds before a request to a v4 server is given up', '10000', positive),
  TRACKED_DAOS: key(
    'DAO addresses to track from the start, comma-separated; `track` adds more',
    '',
    list.pipe(z.array(address)),
  ),
  KAFKA_BROKERS: key(
    'Kafka brokers, comma-separated `host:port`; the log is Kafka where it is set, else embedded',
    '',
    list.pipe(z.array(z.string().regex(/^[^\s:/]+:\d+$/))),
  ),
  KAFKA_PREFIX: key(
    "what the names of topics, groups and transactional ids begin with: one log's own",
    'dao-indexer',
    z.string().regex(/^[A-Za-z0-9._-]{1,100}$/),
  ),
  KAFKA_REPLICATION: key(
    'replicas of the topics that are made anew; 3 in production',
    '1',
    z.coerce.number().int().min(1).max(32767),
  ),
  KAFKA_TLS: key('`true` to speak TLS with the brokers', 'false', flag),
  KAFKA_SASL: key(
    'login at the brokers: `<mechanism>:<user>:<password>`; `plain`, `scram-sha-256` or `scram-sha-512`',
    undefined,
    z
      .string()
      .regex(/^(plain|scram-sha-256|scram-sha-512):[^:]+:.+$/)
      .optional(),
    true,
  ),
  KAFKA_EVENTS: key(
    '`true`: projectors also write the decoded events, as `export` does, to the topic `<KAFKA_PREFIX>.events`',
    'false',
    flag,
  ),
  MONGODB_URL: key(
    'connection string of MongoDB; the read models are there where it is set, else embedded',
    undefined,
    z
      .string()
      .regex(/^mongodb(\+srv)?:\/\//)
      .optional(),
    true,
  ),
  MONGODB_DATABASE: key(
    'database of the read models',
    'dao_indexer',
    z.string().regex(/^[A-Za-z0-9_-]{1,38}$/),
  ),
  REDIS_URL: key(
    'URL of Redis (`rediss://` for TLS); revoked tokens are there where it is set, else embedded',
    undefined,
    z
      .string()
      .regex(/^rediss?:\/\//)
      .optional(),
    true,
  ),
  REDIS_PREFIX: key('what the keys in Redis begin with', 'dao-indexer', z.string().min(1).max(100)),
  LOG_PARTITIONS: key('partitions of a log that is made anew', '4', z.coerce.number().int().min(1).max(1024)),
  HOST: key('address that the API listens on', '127.0.0.1', z.string().min(1)),
  PORT: key('port of the API, 0 for any free one', '8080', port),
  OPS_HOST: key('address of the ops port', '127.0.0.1', z.string().min(1)),
  OPS_PORT: key('port of the status page, metrics and health checks, 0 for any free one', '9090', port),
  JWT_KEYS: key(
    'keys that tokens are verified with: a JSON array of `{kid, alg, secret | publicKey, privateKey?}`',
    undefined,
    z.string().optional(),
    true,
  ),
  LOG_LEVEL: key(
    '`fatal`, `error`, `warn`, `info`, `debug` or `silent`',
    'info',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
  ),
  DEVNET_PORT: key("port of the demo's own chain, 0 for any free one", '0', port),
  DEMO_RATE: key(
    "activities a second on the demo's chain after its story; 0 for none",
    '1',
    z.coerce.number().min(0),
  ),
};

type Keys = typeof keys;

/** Every setting, validated; units as in the table of the README. */
export type Config = Readonly<{ [K in keyof Keys]: z.output<Keys[K]['schema']> }>;

/** Every key with its meaning and default, as the README lists them. */
export const configKeys: readonly (Key & { name: string })[] = Object.entries(keys).map(([name, spec]) => ({
  name,
  ...spec,
}));

/**
 * Reads the configuration once. An empty variable counts as one that is not set. Throws a FatalError
 * `CONFIG_INVALID` that names the keys that do not fit, and never shows a value.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const values = Object.entries(keys).map(([name, { schema, default: fallback, meaning }]) => {
    const parsed = schema.safeParse(environment[name] || fallback);
    if (!parsed.success) problems.push(`${name} does not fit: it is the ${meaning}`);
    return [name, parsed.data] as const;
  });
  if (problems.length > 0) throw new FatalError('CONFIG_INVALID', problems.join('; '));
  return Object.freeze(Object.fromEntries(values)) as Config;
}
