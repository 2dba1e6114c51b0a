import { RetryableError } from '../errors.ts';
import { RedisConnection, type RedisSettings } from './redis-connection.ts';
import { warnOfLosses } from './redis-durability.ts';
import type { RevocationList, RevokedToken } from './revocation-list.ts';

/** A token's member is its jti as JSON, which begins with a quote: none can be taken for this one. */
const MARKER = 'opened';
/** How long an entry outlives its token: the clocks of those who ask differ. */
const KEPT_S = 86_400;
const WRITTEN_AT_ONCE = 1_000;

/**
 * The list in Redis 6.2 or later: one sorted set of tokens by expiry, with the marker as a member
 * that never expires. One key, so that no part of it can be lost alone: keys with a time to live of
 * their own are the first that a Redis short of memory evicts, and the marker would not show it.
 *
 * Opening never makes the marker. A process cannot tell a Redis that is new from one that has lost
 * its contents, and with a list that came back empty every revoked token would open the API again.
 * `initRedisRevocations` makes it, when an operator says so: `token setup`, which makes sure that
 * the log is empty (a deployment that has indexed nothing serves nobody), or `token restore`.
 */
export async function openRedisRevocationList(settings: RedisSettings): Promise<RevocationList> {
  const connection = new RedisConnection(settings);
  await connection.connect();
  await warnOfLosses(connection, settings.logger);
  return new RedisRevocationList(connection, keyOf(settings));
}

/** Makes the list, or adds to the one there is: `entries` first, so that it opens with all of them. */
export async function initRedisRevocations(
  settings: RedisSettings,
  entries: readonly RevokedToken[] = [],
): Promise<'created' | 'exists'> {
  const connection = new RedisConnection(settings);
  const { client } = connection;
  const key = keyOf(settings);
  await connection.connect();
  try {
    for (let from = 0; from < entries.length; from += WRITTEN_AT_ONCE) {
      const some = entries.slice(from, from + WRITTEN_AT_ONCE).flatMap(({ jti, exp }) => [exp, member(jti)]);
      await connection.ask(client.zadd(key, 'GT', ...some));
    }
    const made = await connection.ask(client.zadd(key, 'NX', '+inf', MARKER));
    return made === 1 ? 'created' : 'exists';
  } finally {
    await connection.close();
  }
}

class RedisRevocationList implements RevocationList {
  private readonly connection: RedisConnection;
  private readonly key: string;

  constructor(connection: RedisConnection, key: string) {
    this.connection = connection;
    this.key = key;
  }

  async revoke({ jti, exp }: RevokedToken): Promise<void> {
    const { client } = this.connection;
    const long = Math.floor(Date.now() / 1000) - KEPT_S;
    // In one round trip and in this order: an entry that meets no marker opens nothing.
    const [, marker] = await this.connection.ask(
      Promise.all([
        // The later of two expiries stands: the token must stay revoked as long as either asks.
        client.zadd(this.key, 'GT', exp, member(jti)),
        client.zscore(this.key, MARKER),
        client.zremrangebyscore(this.key, '-inf', `(${long}`),
      ]),
    );
    this.requireMarker(marker);
  }

  async isRevoked(jti: string): Promise<boolean> {
    const [marker, exp] = await this.connection.ask(
      this.connection.client.zmscore(this.key, MARKER, member(jti)),
    );
    this.requireMarker(marker);
    return exp !== null;
  }

  async entries(): Promise<RevokedToken[]> {
    const { client } = this.connection;
    const now = Date.now() / 1000;
    // In steps, so that a long list keeps nobody waiting; a step may repeat what another one gave.
    const found = new Map<string, RevokedToken>();
    let cursor = '0';
    do {
      const [next, step] = await this.connection.ask(
        client.zscan(this.key, cursor, 'COUNT', WRITTEN_AT_ONCE),
      );
      for (let at = 0; at < step.length; at += 2) {
        const [id = '', exp] = [step[at], Number(step[at + 1])];
        if (id !== MARKER && exp > now) found.set(id, { jti: JSON.parse(id) as string, exp });
      }
      cursor = next;
    } while (cursor !== '0');
    this.requireMarker(await this.connection.ask(client.zscore(this.key, MARKER)));
    return [...found.values()].sort((a, b) => (a.jti < b.jti ? -1 : 1));
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private requireMarker(marker: string | null | undefined): void {
    if (typeof marker === 'string') return;
    throw new RetryableError(
      'REVOCATIONS_LOST',
      `There is no list of revoked tokens in Redis at ${this.connection.place} (key ${this.key}). Before the first ` +
        'start, run `token setup`. Where there was a list, Redis has lost its contents: restore its backup, or bring ' +
        'the list back from what `token list --json` wrote with `token restore <file>`; where there is neither, ' +
        'replace the signing keys and run `token restore --accept-loss`',
    );
  }
}

const keyOf = ({ prefix }: RedisSettings) => `${prefix}:revoked-tokens`;

const member = (jti: string) => JSON.stringify(jti);
