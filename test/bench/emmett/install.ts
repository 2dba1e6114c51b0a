import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Emmett } from './emmett.ts';

/** Not among the dependencies of the project: where npm finds no binary of SQLite it compiles it. */
const wanted = JSON.stringify({
  private: true,
  dependencies: {
    '@event-driven-io/emmett': '0.38.5',
    '@event-driven-io/emmett-sqlite': '0.38.5',
    sqlite3: '5.1.7',
  },
});
const peers = fileURLToPath(new URL('../../../.servers/', import.meta.url));

/** Emmett with its SQLite store, which is installed where it is missing. */
export async function installEmmett(): Promise<Emmett> {
  const installed = join(peers, `emmett-${hash('sha256', wanted).slice(0, 12)}`);
  if (!existsSync(installed)) await install(installed);
  return createRequire(join(installed, 'package.json'))('@event-driven-io/emmett-sqlite') as Emmett;
}

async function install(installed: string): Promise<void> {
  await mkdir(peers, { recursive: true });
  const folder = await mkdtemp(join(peers, 'installing-'));
  try {
    await writeFile(join(folder, 'package.json'), wanted);
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
    // Renamed when it is whole: an install that was cut off is never used.
    await rename(folder, installed);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
