import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Address } from '@ton/core';
import { expect } from 'chai';
import { writeToFile } from '../../projector/export/output.ts';
import { rowSchema } from '../../projector/export/row-schema.ts';
import { readConfig } from '../../shared/config.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { openStores } from '../../shared/stores.ts';
import { addressOf } from './chain-of-facts.ts';
import { readParquet } from './read-parquet.ts';
import { DAO, foundation, received, walletDiscovered } from './story.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const WALLETS = 2000;

describe('the command export', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'export-'));
    const stores = await openStores(readConfig({ DATA_DIR: join(folder, 'data') }));
    const writer = await stores.log.openWriter();
    const wallets = Array.from({ length: WALLETS }, (_, i): LogRecord[] => [
      walletDiscovered(`owner ${i}`),
      received(`owner ${i}`, 5n, i),
    ]);
    await writer.append({ records: [...foundation(), ...wallets.flat()], state: [] });
    await writer.close();
    await stores.close();
  });

  after(() => rm(folder, { recursive: true }));

  function start(...args: string[]): ChildProcess {
    return spawn(process.execPath, ['--import', 'tsx', 'cli.ts', 'export', ...args], {
      cwd: root,
      env: { ...process.env, DATA_DIR: join(folder, 'data') },
    });
  }

  async function run(...args: string[]): Promise<{ code: number; out: Buffer; error: string }> {
    const child = start(...args);
    const ended = once(child, 'close') as Promise<[number]>;
    const [out, error] = await Promise.all([buffer(child.stdout as never), text(child.stderr as never)]);
    return { code: (await ended)[0], out, error };
  }

  it('writes the rows of a DAO, named in any form, and the same again', async () => {
    const first = await run(
      '--dao',
      Address.parse(DAO).toString({ bounceable: false }),
      '--event',
      'jettons_received',
    );
    expect(first).to.include({ code: 0, error: '' });
    const lines = first.out.toString().trim().split('\n');
    expect(lines).to.have.length(WALLETS);
    expect(JSON.parse(lines[0] ?? '')).to.deep.include({ dao: DAO, data: { amount: '5', from: null } });
    const again = await run('--dao', DAO, '--event', 'jettons_received');
    expect(again.out.equals(first.out)).to.equal(true);
  });

  it('reads times as ISO 8601 or unix seconds', async () => {
    const iso = await run('--from', '2023-11-14T22:13:20Z', '--to', '2023-11-14T22:13:30Z');
    const unix = await run('--from', '1700000000', '--to', '1700000010');
    expect(iso.out.toString()).to.contain('"time":"2023-11-14T22:13:29Z"').and.not.contain('22:13:30Z');
    expect(iso.out.equals(unix.out)).to.equal(true);
    expect((await run('--to', '2023-11-14')).out).to.have.length(0);
  });

  it('writes Parquet to a file and to standard output', async () => {
    const file = join(folder, 'events.parquet');
    await writeFile(file, 'what was there before');
    expect(await run('--format', 'parquet', '--output', file)).to.include({ code: 0, error: '' });
    const { out } = await run('--format', 'parquet');
    const written = await readFile(file);
    expect(written.equals(out)).to.equal(true);
    const rows = (await run()).out.toString().trim().split('\n');
    expect((await readParquet(written)).map((row) => JSON.stringify(row))).to.deep.equal(rows);
    expect(await drafts()).to.deep.equal([]);
  });

  it('ends quietly where the reader does', async () => {
    const child = start();
    const ended = once(child, 'close') as Promise<[number]>;
    const told = text(child.stderr as never);
    const [chunk] = (await once(child.stdout as never, 'data')) as [Buffer];
    expect(chunk.toString()).to.match(/^\{"partition":/);
    child.stdout?.destroy();
    expect((await ended)[0]).to.equal(0);
    expect(await told).to.equal('');
  });

  it('leaves the file as it was where it is interrupted', async () => {
    const file = join(folder, 'interrupted');
    await writeFile(file, 'what was there before');
    const interrupted = new AbortController();
    async function* endless() {
      for (let chunks = 0; ; chunks++) {
        if (chunks === 100) interrupted.abort();
        yield Buffer.alloc(1000);
      }
    }
    const outcome = await writeToFile(file, endless(), interrupted.signal).catch((error: unknown) => error);
    expect(outcome).to.have.property('name', 'AbortError');
    expect(await readFile(file, 'utf8')).to.equal('what was there before');
    expect(await drafts()).to.deep.equal([]);
  });

  it('refuses what is wrong before it writes anything', async () => {
    const file = join(folder, 'refused.ndjson');
    const wrong = [
      ['--from', 'yesterday'],
      ['--from', '2026-11-21T10:00:00+02:00'],
      ['--from', '2', '--to', '1'],
      ['--dao', 'EQnonsense'],
      ['--dao', addressOf('nobody')],
      ['--kind', 'wallet'],
      ['--event', 'nonsense'],
      ['--format', 'csv'],
      ['--output', '/dev/null'],
      ['--output', join(folder, 'no', 'such', 'folder')],
    ];
    for (const args of wrong) {
      const { code, out, error } = await run('--output', file, ...args);
      expect(code, args.join(' ')).to.equal(2);
      expect(out).to.have.length(0);
      expect(error)
        .to.match(/\w/)
        .and.not.match(/ {4}at /);
    }
    expect(await drafts()).to.deep.equal([]);
    expect(await readdir(folder)).to.not.contain('refused.ndjson');
  });

  it('prints the schema', async () => {
    expect(JSON.parse((await run('--schema')).out.toString())).to.deep.equal(rowSchema);
  });

  const drafts = async () => (await readdir(folder)).filter((name) => name.endsWith('.tmp'));
});
