import type { Logger } from 'pino';
import type { RedisConnection } from './redis-connection.ts';

/** What Redis must be set to, so that it forgets nothing that it has said is stored. */
const SAFE: Readonly<Record<string, RegExp>> = {
  appendonly: /^yes$/,
  appendfsync: /^always$/,
  'maxmemory-policy': /^noeviction$|^volatile-/,
};

/** Tells the operator of settings with which a crash could forget revocations; many hosts hide them. */
export async function warnOfLosses({ client, place }: RedisConnection, logger: Logger): Promise<void> {
  for (const [name, safe] of Object.entries(SAFE)) {
    const [, value] = (await client.config('GET', name).catch(() => [])) as string[];
    if (value !== undefined && !safe.test(value))
      logger.warn({ redis: place, [name]: value }, 'Redis may forget revoked tokens: see the README');
  }
}
