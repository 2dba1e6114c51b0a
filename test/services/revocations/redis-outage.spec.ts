import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pino from 'pino';
import { type RunningServer, startApi } from '../../../api/server.ts';
import { initRedisRevocations, openRedisRevocationList } from '../../../shared/revocations/redis.ts';
import type { RevocationList } from '../../../shared/revocations/revocation-list.ts';
import { ApiFixture, DAO, daoPath } from '../../api/fixture.ts';
import { rejection, until } from '../../conformance/subject.ts';
import { type RedisServer, startRedis } from '../servers/redis.ts';
import { redisSettings } from './open-redis.ts';

const logger = pino({ level: 'silent' });
const HOUR = 3600;

describe('The API while Redis fails', () => {
  const fixture = new ApiFixture();
  let redis: RedisServer;
  let settings: ReturnType<typeof redisSettings>;
  let lists: RevocationList[];
  let servers: RunningServer[];

  before(async () => {
    redis = await startRedis();
    await fixture.start();
  });

  after(async () => {
    await fixture.stop();
    await redis.stop();
  });

  beforeEach(async () => {
    settings = redisSettings(redis.url, randomUUID());
    await initRedisRevocations(settings);
    lists = await Promise.all([openRedisRevocationList(settings), openRedisRevocationList(settings)]);
    servers = await Promise.all(
      lists.map((revocations) =>
        startApi({
          store: fixture.store.asReadStore(),
          revocations,
          keys: fixture.keys,
          clock: () => fixture.now,
          links: fixture.links,
          log: logger,
          port: 0,
        }),
      ),
    );
  });

  afterEach(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all(lists.map((list) => list.close()));
  });

  /** The status and, of an error, its code. */
  async function answer(text: string, server = 0): Promise<string> {
    const headers = { authorization: `Bearer ${text}` };
    const response = await fetch(`${servers[server]?.url}${daoPath(DAO)}`, { headers });
    const { error } = (await response.json()) as { error?: string };
    return error === undefined ? `${response.status}` : `${response.status} ${error}`;
  }

  function token(): { text: string; revoke: () => Promise<void> } {
    const jti = randomUUID();
    const exp = Math.floor(Date.now() / 1000) + HOUR;
    return {
      text: fixture.sign({ jti }),
      revoke: async () => lists[0]?.revoke({ jti, exp }),
    };
  }

  it('refuses a token on the next request of every server once one has revoked it', async () => {
    for (let n = 0; n < 20; n++) {
      const { text, revoke } = token();
      expect(await answer(text, 1)).to.equal('200');
      await revoke();
      expect(await answer(text, 1)).to.equal('401 revoked_token');
      expect(await answer(text, 0)).to.equal('401 revoked_token');
    }
  });

  it('lets nobody in while Redis is killed, and goes on by itself with what was revoked', async () => {
    const [good, bad] = [token(), token()];
    await bad.revoke();
    const over = new AbortController();
    const seen = new Set<string>();
    const asking = Promise.all(
      [good, bad].map(async ({ text }) => {
        while (!over.signal.aborted) seen.add(`${text === good.text ? 'good' : 'bad'} ${await answer(text)}`);
      }),
    );
    await redis.kill();
    expect(await answer(good.text)).to.equal('500 internal_error');
    expect(await answer(bad.text)).to.equal('500 internal_error');
    await until(() => seen.has('good 500 internal_error'));
    await redis.start();
    await until(async () => (await answer(good.text)) === '200');
    expect(await answer(bad.text)).to.equal('401 revoked_token');
    over.abort();
    await asking;
    expect([...seen])
      .to.include('good 500 internal_error')
      .and.not.include('bad 200');
    for (const one of seen)
      expect(one).to.match(/^good (200|500 internal_error)$|^bad (401 revoked_token|500 internal_error)$/);
  });

  it('lets nobody in while Redis accepts and does not answer', async () => {
    const { text } = token();
    const client = new Redis(redis.url);
    expect(await answer(text)).to.equal('200');
    // Of all that a server can do wrong the worst to notice: the connection stays.
    await client.call('CLIENT', 'PAUSE', '3600000', 'ALL');
    expect(await answer(text)).to.equal('500 internal_error');
    expect(await answer(text)).to.equal('500 internal_error');
    client.disconnect();
    await redis.kill();
    await redis.start();
    await until(async () => (await answer(text)) === '200');
  });

  it('lets nobody in after Redis has lost its contents, until the list is made again', async () => {
    const [good, bad] = [token(), token()];
    await bad.revoke();
    const kept = await lists[0]?.entries();
    const losses = [
      async () => {
        const client = new Redis(redis.url);
        await client.flushall();
        client.disconnect();
      },
      () => redis.lose(),
    ];
    for (const lose of losses) {
      await lose();
      expect(await answer(good.text)).to.equal('500 internal_error');
      expect(await answer(bad.text, 1)).to.equal('500 internal_error');
      await initRedisRevocations(settings, kept);
      await until(async () => (await answer(good.text)) === '200' && (await answer(good.text, 1)) === '200');
      expect(await answer(bad.text)).to.equal('401 revoked_token');
    }
  });

  it('starts while Redis is away, and serves once it is there', async () => {
    await redis.kill();
    const list = await openRedisRevocationList(settings);
    lists.push(list);
    await redis.start();
    await until(() =>
      list.isRevoked('a').then(
        () => true,
        () => false,
      ),
    );
  });

  it('tells the operator of settings that forget, of an outage once, and of its end', async () => {
    const lines: { level: number; msg: string; appendfsync?: string }[] = [];
    const told = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const client = new Redis(redis.url);
    await client.config('SET', 'appendfsync', 'everysec');
    const list = await openRedisRevocationList({ ...settings, logger: told });
    lists.push(list);
    client.disconnect();
    expect(lines.map(({ level, appendfsync }) => [level, appendfsync])).to.deep.equal([[40, 'everysec']]);
    await redis.kill();
    for (let n = 0; n < 5; n++) await rejection(list.isRevoked('a'));
    await redis.start();
    await until(() => lines.length === 3);
    expect(lines.slice(1).map(({ msg }) => msg)).to.deep.equal(['Redis cannot be asked', 'Redis is back']);
  });
});
