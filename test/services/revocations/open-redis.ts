import pino from 'pino';
import { initRedisRevocations, openRedisRevocationList } from '../../../shared/revocations/redis.ts';
import type { RevocationList } from '../../../shared/revocations/revocation-list.ts';

const logger = pino({ level: 'silent' });

/** What a spec's list is opened with; `prefix` is its own. */
export const redisSettings = (url: string | undefined, prefix: string) => ({
  url: url ?? '',
  prefix,
  logger,
});

/** For the suite's other processes too: `at` is the prefix of a list that has been made. */
export function open(at: string): Promise<RevocationList> {
  return openRedisRevocationList(redisSettings(process.env['REDIS_URL'], at));
}

export async function create(at: string): Promise<void> {
  await initRedisRevocations(redisSettings(process.env['REDIS_URL'], at));
}
