import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { configuredKeys } from '../../api/key-file.ts';
import { readConfig } from '../../shared/config.ts';
import { writeServiceEnv } from './service-env.ts';

const DAOS = [`0:${'ab'.repeat(32)}`, `0:${'cd'.repeat(32)}`];

describe('the settings of a service beside the devnet', () => {
  it('are what the configuration reads, and keep their key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-env-'));
    const path = join(folder, 'service.env');
    const written = async (url: string) => {
      await writeServiceEnv(path, url, DAOS);
      return readConfig(parseEnv(await readFile(path, 'utf8')));
    };
    const config = await written('http://devnet:8081');
    expect(config.TON_ENDPOINTS).to.deep.equal(['http://devnet:8081']);
    expect(config.TRACKED_DAOS).to.deep.equal(DAOS);
    expect(await configuredKeys(config)).to.have.length(1);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    const again = await written('http://devnet:8082');
    expect(again.TON_ENDPOINTS).to.deep.equal(['http://devnet:8082']);
    expect(again.JWT_KEYS).to.equal(config.JWT_KEYS);
    await rm(folder, { recursive: true });
  });
});
