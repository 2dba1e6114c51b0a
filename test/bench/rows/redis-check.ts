import { Redis } from 'ioredis';
import { pino } from 'pino';
import { initRedisRevocations, openRedisRevocationList } from '../../../shared/revocations/redis.ts';
import { answersASecond } from '../askers.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';
import { atEnd, OWN_NAME, serverUrl } from '../servers.ts';

const ROUNDS = 9;
const ASKERS = 64;
/** The member that tells a list of revoked tokens from one that was lost. */
const MARKER = 'opened';
const REVOKED = 10_000;
const CHECKS: Record<Size, number> = { small: 20_000, full: 100_000 };

export const redisCheck: Row = {
  name: 'redis-check',
  ours: 'checks of revocation in Redis, 64 askers',
  reference: 'ioredis: a GET in automatic pipelines',
  unit: 'checks a second by the clock',
  goal: { atLeast: 0.8 },
  async measure(size) {
    const settings = { url: await serverUrl('redis'), prefix: OWN_NAME, logger: pino({ level: 'silent' }) };
    const client = new Redis(settings.url, { enableAutoPipelining: true });
    const listKey = `${OWN_NAME}:revoked-tokens`;
    const key = (n: number) => `${OWN_NAME}:${jti(n)}`;
    atEnd(async () => {
      await client.del(listKey, ...Array.from({ length: REVOKED }, (_, n) => key(n)));
      await client.quit();
    });
    const exp = Math.floor(Date.now() / 1000) + 86_400;
    const entries = Array.from({ length: REVOKED }, (_, n) => ({ jti: jti(n), exp }));
    await initRedisRevocations(settings, entries);
    await client.mset(entries.flatMap((_, n) => [key(n), exp]));
    const list = await openRedisRevocationList(settings);
    atEnd(() => list.close());

    // Every other token is revoked.
    const token = (index: number) => (index * 7919) % (2 * REVOKED);
    const rate = (ask: (n: number) => Promise<unknown>) => () =>
      answersASecond(ASKERS, CHECKS[size], (index) => ask(token(index)));
    const ours = rate((n) => list.isRevoked(jti(n)));
    const reference = rate((n) => client.get(key(n)));
    // What ours asks for: the token and, in the same answer, the marker that the list is there at all.
    const same = rate((n) => client.zmscore(listKey, MARKER, JSON.stringify(jti(n))));
    for (const sample of [ours, reference, same]) await sample();
    const rates = await mediansOfRounds(ROUNDS, ours, reference);
    const { reference: alone } = await mediansOfRounds(ROUNDS, ours, same);
    const note = `${REVOKED} revoked tokens; the driver with the ZMSCORE that ours sends: ${Math.round(alone)}`;
    return { ...rates, note };
  },
};

function jti(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}
