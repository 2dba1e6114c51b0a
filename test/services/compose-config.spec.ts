import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { keysText } from '../api/fixture.ts';
import { findCompose } from './docker-compose.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Resolved {
  services: Record<string, { environment?: Record<string, string | null> }>;
}

describe('docker compose config', function () {
  this.timeout(900_000);
  let command: Awaited<ReturnType<typeof findCompose>>;
  let folder: string;

  before(async () => {
    command = await findCompose();
    folder = await mkdtemp(join(tmpdir(), 'compose-'));
  });

  after(() => rm(folder, { recursive: true }));

  async function resolve(env: string, ...options: string[]): Promise<Resolved['services']> {
    const file = join(folder, '.env');
    await writeFile(file, env);
    const [program, ...args] = command;
    const all = [...args, '--env-file', file, ...options, 'config', '--format', 'json'];
    // What is set around the tests is not what a newcomer has.
    const { stdout } = await run(program, all, {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    });
    return (JSON.parse(stdout) as Resolved).services;
  }

  it('resolves from nothing, the devnet with its profile alone', async () => {
    const names = ['api', 'indexer', 'kafka', 'mongo', 'projector', 'redis', 'setup'];
    expect(Object.keys(await resolve('')).sort()).to.deep.equal(names);
    const withDevnet = await resolve('', '--profile', 'devnet');
    expect(Object.keys(withDevnet).sort()).to.deep.equal([...names, 'devnet'].sort());
    expect(withDevnet['indexer']?.environment).to.include({ TON_ENDPOINTS: null, JWT_KEYS: null });
  });

  it('hands what is in .env to every role as it stands there', async () => {
    const oneKey = JSON.stringify((JSON.parse(keysText) as unknown[]).slice(0, 1));
    const services = await resolve(`JWT_KEYS='${oneKey}'\nTRACKED_DAOS=EQa,EQb\n`);
    for (const role of ['indexer', 'projector', 'api', 'setup'])
      expect(services[role]?.environment, role).to.include({ JWT_KEYS: oneKey, TRACKED_DAOS: 'EQa,EQb' });
  });
});
