import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { readConfig } from '../../shared/config.ts';
import { withStores } from '../../shared/stores.ts';
import { undisturbedDigest, untilDigest } from './digest.ts';
import { type Program, runProgram } from './process.ts';

describe('backup of a data folder in use', function () {
  this.timeout(5 * 60_000);
  let folder: string;
  let devnet: Program;
  let settings: Record<string, string>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
    const args = ['--data-dir', join(folder, 'devnet'), '--pace', '200'];
    devnet = runProgram('test/devnet/main.ts', args);
    const { url, story } = JSON.parse(await devnet.line(/^\{/)) as {
      url: string;
      story: { daos: { address: string }[] };
    };
    settings = {
      DATA_DIR: join(folder, 'data'),
      TON_ENDPOINTS: url,
      TON_REQUESTS_PER_SECOND: '1000',
      TRACKED_DAOS: story.daos.map(({ address }) => address).join(','),
      PORT: '0',
      OPS_PORT: '0',
    };
  });

  after(async () => {
    await devnet.end('SIGTERM');
    await rm(folder, { recursive: true });
  });

  it('is a data folder that a service goes on from, to the digest of an undisturbed run', async () => {
    const service = runProgram('cli.ts', ['start'], settings);
    await service.line(/^API on/);
    await withStores(readConfig(settings), ({ revocations }) =>
      revocations.revoke({ jti: 'before the backup', exp: 4_102_444_800 }),
    );
    await pause(Math.random() * 4000);
    const copy = join(folder, 'copy');
    const backup = runProgram('cli.ts', ['backup', copy], settings);
    expect(await backup.ended).to.equal(0);
    expect(await service.end('SIGKILL')).to.equal(null);
    expect((await stat(copy)).mode & 0o777).to.equal(0o700);

    const restored = { ...settings, DATA_DIR: copy };
    const again = runProgram('cli.ts', ['start'], restored);
    await again.line(/^API on/);
    const wanted = await undisturbedDigest();
    expect(await untilDigest(restored, wanted)).to.equal(wanted);
    expect(await again.end('SIGTERM')).to.equal(0);
    await withStores(readConfig(restored), async ({ revocations }) => {
      expect(await revocations.isRevoked('before the backup')).to.equal(true);
    });
  });

  it('refuses a folder that is there, and one that holds no data, and leaves nothing behind', async () => {
    const before = await readdir(folder);
    for (const [from, to, code] of [
      ['data', 'copy', 'BACKUP_EXISTS'],
      ['nothing', 'other', 'NO_DATA_FOLDER'],
    ] as const) {
      const env = { ...settings, DATA_DIR: join(folder, from) };
      const backup = runProgram('cli.ts', ['backup', join(folder, to)], env);
      expect(await backup.ended, code).to.equal(2);
    }
    expect(await readdir(folder)).to.deep.equal(before);
  });
});
