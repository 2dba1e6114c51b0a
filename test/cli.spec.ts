import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('..', import.meta.url));
const dao = `0:${'ab'.repeat(32)}`;

interface Outcome {
  code: number;
  out: string;
  error: string;
}

describe('the command', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-'));
  });

  after(() => rm(folder, { recursive: true }));

  function run(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
    return new Promise((resolve) => {
      const options = { cwd: root, env: { ...process.env, DATA_DIR: folder, ...env } };
      execFile(process.execPath, ['--import', 'tsx', 'cli.ts', ...args], options, (failure, out, error) => {
        resolve({ code: typeof failure?.code === 'number' ? failure.code : 0, out, error });
      });
    });
  }

  it('tells its use, and ends with 2 on a wrong one', async () => {
    expect(await run(['--help'])).to.have.property('code', 0);
    const wrong = [
      ['nonsense'],
      ['token', 'issue', dao, '--ttl', 'soon'],
      ['track'],
      ['track', 'EQnonsense'],
    ];
    for (const args of wrong) {
      const { code, out, error } = await run(args);
      expect(code, args.join(' ')).to.equal(2);
      expect(out).to.equal('');
      expect(error)
        .to.match(/\w/)
        .and.not.match(/ {4}at /);
    }
  });

  it('names the key of a setting that does not fit', async () => {
    const { code, error } = await run(['status'], { PORT: 'http' });
    expect(code).to.equal(1);
    expect(error).to.match(/PORT does not fit.*CONFIG_INVALID/);
  });

  it('keeps a key of its own for the owner alone, issues tokens with it, revokes and lists them', async () => {
    const issued = JSON.parse((await run(['token', 'issue', dao, '--ttl', '1h', '--json'])).out) as {
      token: string;
      jti: string;
      exp: number;
    };
    expect((await stat(join(folder, 'jwt-keys.json'))).mode & 0o777).to.equal(0o600);
    expect((await run(['token', 'revoke', issued.token])).out).to.contain(issued.jti);
    const listed = JSON.parse((await run(['token', 'list', '--json'])).out) as unknown;
    expect(listed).to.deep.equal([{ jti: issued.jti, exp: issued.exp }]);
  });

  it('remembers what is to be tracked', async () => {
    await run(['track', dao]);
    const { daos } = JSON.parse((await run(['status', '--json'])).out) as { daos: Record<string, boolean> };
    expect(daos).to.deep.equal({ [dao]: true });
  });

  it('says which port is taken and what to do', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const env = { PORT: String(port), OPS_PORT: '0', TON_ENDPOINTS: 'http://127.0.0.1:9' };
    const { code, error } = await run(['serve'], env);
    taken.close();
    expect(code).to.equal(1);
    expect(error).to.match(new RegExp(`Port ${port} .*PORT.*PORT_UNAVAILABLE`));
  });

  it('refuses data of a newer format and says what to do', async () => {
    const newer = await mkdtemp(join(tmpdir(), 'cli-newer-'));
    await writeFile(join(newer, 'format.json'), '{"format":3}');
    const { code, error } = await run(['status'], { DATA_DIR: newer });
    await rm(newer, { recursive: true });
    expect(code).to.equal(1);
    expect(error).to.match(/DATA_FORMAT_UNKNOWN/);
  });
});
