import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import pino from 'pino';
import { RetryableError } from '../../../shared/errors.ts';
import { initRedisRevocations, openRedisRevocationList } from '../../../shared/revocations/redis.ts';
import { revocationListConformance } from '../../conformance/revocation-list.ts';
import { rejection } from '../../conformance/subject.ts';
import { create, open, redisSettings } from './open-redis.ts';

const YEAR_2100 = 4_102_444_800;

async function withRedis<T>(use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(process.env['REDIS_URL'] ?? '');
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

function forget(prefix: string): Promise<void> {
  return withRedis(async (redis) => {
    const keys = await redis.keys(`${prefix}*`);
    if (keys.length > 0) await redis.del(keys);
  });
}

revocationListConformance('redis', async () => {
  const prefix = `test-${randomUUID()}`;
  await create(prefix);
  return {
    open: () => open(prefix),
    opener: { module: new URL('open-redis.ts', import.meta.url).href, at: prefix },
    destroy: () => forget(prefix),
    lose: () => forget(prefix),
  };
});

async function askedOnce(settings: Parameters<typeof openRedisRevocationList>[0]): Promise<void> {
  const list = await openRedisRevocationList(settings);
  try {
    await list.isRevoked('a');
  } finally {
    await list.close();
  }
}

describe('The revocation list in Redis alone', () => {
  let prefix: string;
  const settings = () => redisSettings(process.env['REDIS_URL'], prefix);

  beforeEach(() => {
    prefix = `test-${randomUUID()}`;
  });

  afterEach(() => forget(prefix));

  it('is not made by opening it: a list that was lost stays lost, whoever starts', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const list = await open(prefix);
      for (const action of [() => list.isRevoked('a'), () => list.revoke({ jti: 'a', exp: YEAR_2100 })]) {
        const error = await rejection(action());
        expect(error).to.be.instanceOf(RetryableError).with.property('code', 'REVOCATIONS_LOST');
      }
      await list.close();
    }
  });

  it('is made once, however many processes make it, and opens with what it is made with', async () => {
    const made = await Promise.all([1, 2, 3].map(() => initRedisRevocations(settings())));
    expect(made.sort()).to.deep.equal(['created', 'exists', 'exists']);
    await forget(prefix);
    const list = await open(prefix);
    const entries = Array.from({ length: 2500 }, (_, n) => ({ jti: `t${n}`, exp: YEAR_2100 + n }));
    expect(await initRedisRevocations(settings(), entries)).to.equal('created');
    expect(await list.entries()).to.deep.equal(entries.toSorted((a, b) => (a.jti < b.jti ? -1 : 1)));
    // An elder copy takes no expiry back.
    await initRedisRevocations(settings(), [{ jti: 't7', exp: 1 }]);
    expect(await list.entries()).to.deep.include({ jti: 't7', exp: YEAR_2100 + 7 });
    await list.close();
  });

  it('keeps any jti and expiry as it is', async () => {
    await create(prefix);
    const list = await open(prefix);
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 4000 }),
        fc.integer({ min: YEAR_2100, max: Number.MAX_SAFE_INTEGER }),
        async (jti, exp) => {
          await withRedis((redis) => redis.zrem(`${prefix}:revoked-tokens`, JSON.stringify(jti)));
          expect(await list.isRevoked(jti)).to.equal(false);
          await list.revoke({ jti, exp });
          expect(await list.isRevoked(jti)).to.equal(true);
          expect(await list.entries()).to.deep.include({ jti, exp });
        },
      ),
      {
        numRuns: 200,
        examples: [
          ['\ud800', YEAR_2100],
          ['\udfff', YEAR_2100],
        ],
      },
    );
    await list.close();
  });

  it('clears away what expired long ago, and keeps what a slow clock may still ask for', async () => {
    await create(prefix);
    const list = await open(prefix);
    const now = Math.floor(Date.now() / 1000);
    await list.revoke({ jti: 'old', exp: now - 172_800 });
    await list.revoke({ jti: 'recent', exp: now - 60 });
    await list.revoke({ jti: 'new', exp: now + 600 });
    expect(await withRedis((redis) => redis.zcard(`${prefix}:revoked-tokens`))).to.equal(3);
    expect(await list.isRevoked('old')).to.equal(false);
    expect(await list.isRevoked('recent')).to.equal(true);
    await list.close();
  });

  it('asks once for what many requests ask at the same time', async () => {
    await create(prefix);
    const list = await open(prefix);
    const reads = async () => {
      const stats = await withRedis((redis) => redis.info('stats'));
      return Number(/total_reads_processed:(\d+)/.exec(stats)?.[1]);
    };
    const before = await reads();
    await Promise.all(Array.from({ length: 1000 }, (_, n) => list.isRevoked(`t${n}`)));
    expect((await reads()) - before).to.be.below(100);
    await list.close();
  });

  it('tells no password, neither in an error nor in a log', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    const password = 'p%40ss-word';
    const { port } = new URL(process.env['REDIS_URL'] ?? '');
    for (const url of [
      `redis://nobody:${password}@127.0.0.1:${port}`,
      `redis://nobody:${password}@127.0.0.1:1`,
      `redis://nobody:${password}@no such host`,
      `redis://nobody:%zz${password}@127.0.0.1:${port}`,
    ]) {
      const error = await rejection(askedOnce({ url, prefix, logger }));
      logger.error({ err: error }, 'as the API logs it');
      expect((error as { code?: string }).code).to.match(/^REDIS_(UNAVAILABLE|URL_INVALID)$/);
    }
    expect(lines).to.have.length.above(4);
    expect(lines.join('')).to.not.match(/p%40ss|p@ss/);
  });
});
