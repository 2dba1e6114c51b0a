import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { restoreRevocations, setUpTokens } from '../../../api/token-setup.ts';
import { type Config, readConfig } from '../../../shared/config.ts';
import { openRevocationList, using, withStores } from '../../../shared/stores.ts';
import { keysText } from '../../api/fixture.ts';
import { rejection } from '../../conformance/subject.ts';
import { startRedis } from '../servers/redis.ts';

const ENTRY = { jti: 'a', exp: 4_102_444_800 };

describe('token setup and token restore', () => {
  let folder: string;
  let redis: Awaited<ReturnType<typeof startRedis>>;

  before(async () => {
    redis = await startRedis();
  });

  after(() => redis.stop());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'token-setup-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  function config(changed: NodeJS.ProcessEnv = {}): Config {
    const prefix = `test-${randomUUID()}`;
    const environment = { DATA_DIR: folder, REDIS_URL: redis.url, REDIS_PREFIX: prefix, JWT_KEYS: keysText };
    return readConfig({ ...environment, LOG_LEVEL: 'silent', ...changed });
  }

  const revoke = async (to: Config) => using(await openRevocationList(to), (list) => list.revoke(ENTRY));
  const entries = async (of: Config) => using(await openRevocationList(of), (list) => list.entries());

  it('makes the list of a new deployment, and leaves the one there is', async () => {
    const settings = config();
    expect(await setUpTokens(settings)).to.match(/^made/);
    await revoke(settings);
    expect(await setUpTokens(settings)).to.match(/is there$/);
    expect(await entries(settings)).to.deep.equal([ENTRY]);
  });

  it('makes no list once something is indexed: there was one, and it is lost', async () => {
    const settings = config();
    await setUpTokens(settings);
    await revoke(settings);
    await withStores(settings, async ({ log }) => {
      const writer = await log.openWriter();
      await writer.append({ records: [], state: [], asOf: { seqno: 1, time: 1_760_000_000 } });
      await writer.close();
    });
    expect(await setUpTokens(settings)).to.match(/is there$/);
    await redis.lose();
    for (let turn = 0; turn < 2; turn++)
      expect(await rejection(setUpTokens(settings))).to.have.property('code', 'REVOCATIONS_LOST');
    expect(await rejection(entries(settings))).to.have.property('code', 'REVOCATIONS_LOST');
  });

  it('brings a lost list back from what `token list --json` wrote', async () => {
    const settings = config();
    const file = join(folder, 'revoked.json');
    await writeFile(file, JSON.stringify([ENTRY]));
    await restoreRevocations(settings, file, false);
    expect(await entries(settings)).to.deep.equal([ENTRY]);
  });

  it('begins with an empty list where the operator accepts the loss, and only there', async () => {
    const settings = config();
    const file = join(folder, 'revoked.json');
    await writeFile(file, '{"jti":"a"}');
    for (const [from, accepted] of [
      [undefined, false],
      [file, true],
      [file, false],
      [join(folder, 'missing.json'), false],
    ] as const)
      expect(await rejection(restoreRevocations(settings, from, accepted))).to.have.property(
        'code',
        'INVALID_RESTORE',
      );
    expect(await rejection(entries(settings))).to.have.property('code', 'REVOCATIONS_LOST');
    await restoreRevocations(settings, undefined, true);
    expect(await entries(settings)).to.deep.equal([]);
  });

  it('wants keys that every process has', async () => {
    expect(await rejection(setUpTokens(config({ JWT_KEYS: '' })))).to.have.property(
      'code',
      'JWT_KEYS_MISSING',
    );
  });

  it('has nothing to do for embedded stores, and adds what a file brings', async () => {
    const settings = config({ REDIS_URL: '' });
    expect(await setUpTokens(settings)).to.match(/^nothing/);
    const file = join(folder, 'revoked.json');
    await writeFile(file, JSON.stringify([ENTRY]));
    await restoreRevocations(settings, file, false);
    expect(await entries(settings)).to.deep.equal([ENTRY]);
  });
});
