import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { open as openLmdb } from 'lmdb';
import { RetryableError } from '../../../shared/errors.ts';
import { openEmbeddedRevocationList } from '../../../shared/revocations/embedded.ts';
import { revocationListConformance } from '../../conformance/revocation-list.ts';
import { rejection, until } from '../../conformance/subject.ts';
import { open } from './open-embedded.ts';

/** Empties every table, as only somebody else's hand would. */
async function empty(dir: string): Promise<void> {
  const root = openLmdb({ path: join(dir, 'revocations'), overlappingSync: false, noSubdir: false });
  for (const name of ['meta', 'tokens', 'by-expiry'])
    root.openDB(name, { keyEncoding: 'binary' }).clearSync();
  await root.close();
}

revocationListConformance('embedded', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'revocations-'));
  return {
    open: () => open(dir),
    opener: { module: new URL('open-embedded.ts', import.meta.url).href, at: dir },
    destroy: () => rm(dir, { recursive: true }),
    lose: () => empty(dir),
  };
});

describe('The embedded revocation list alone', () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'revocations-'));
  });

  afterEach(() => rm(dir, { recursive: true }));

  it('clears expired tokens away as others are revoked', async () => {
    let now = 1000;
    const list = await openEmbeddedRevocationList(dir, () => now);
    for (let n = 0; n < 250; n++) await list.revoke({ jti: `t${n}`, exp: 1100 + n });
    now = 1200;
    expect(await list.entries()).to.have.length(149);
    await list.revoke({ jti: 'later', exp: 5000 });
    // Of what has expired as many go as one revocation clears away: a longer list is cleared by the next.
    expect(await list.isRevoked('t0')).to.equal(false);
    await list.revoke({ jti: 'latest', exp: 5000 });
    expect(await list.isRevoked('t100')).to.equal(false);
    expect(await list.isRevoked('t101')).to.equal(true);
    await list.close();
  });

  it('stays lost when it is opened again, whether its tables were emptied or its folder deleted', async () => {
    for (const lose of [() => empty(dir), () => rm(join(dir, 'revocations'), { recursive: true })]) {
      const list = await open(dir);
      await list.close();
      await lose();
      for (let turn = 0; turn < 2; turn++) {
        const again = await open(dir);
        const error = await rejection(again.isRevoked('a'));
        expect(error).to.be.instanceOf(RetryableError).with.property('code', 'REVOCATIONS_LOST');
        await again.close();
      }
      await rm(join(dir, 'revocations'), { recursive: true });
      await rm(join(dir, 'revocations.opened'));
    }
  });

  it('notices that its folder is deleted while it is open', async () => {
    const list = await open(dir);
    await rm(join(dir, 'revocations'), { recursive: true });
    await until(() =>
      list.isRevoked('a').then(
        () => false,
        () => true,
      ),
    );
    await list.close();
  });
});
