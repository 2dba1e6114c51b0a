import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MODULE = 'github.com/docker/compose/v2/cmd';
const VERSION = 'v2.40.3';
const servers = fileURLToPath(new URL('../../.servers/', import.meta.url));

/** The Compose of this machine's Docker; where it has none, one that is built from Go modules, in minutes and once. */
export async function findCompose(): Promise<[program: string, ...args: string[]]> {
  try {
    await run('docker', ['compose', 'version']);
    return ['docker', 'compose'];
  } catch {
    const built = join(servers, `docker-compose-${VERSION}`);
    if (!existsSync(built)) await build(built);
    return [built];
  }
}

/** In a module of our own, since `go install` takes no command whose module excludes another. */
async function build(to: string): Promise<void> {
  await mkdir(servers, { recursive: true });
  const folder = await mkdtemp(join(servers, 'installing-'));
  const go = (...args: string[]) =>
    run('go', args, { cwd: folder, env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod' } });
  try {
    await go('mod', 'init', 'compose');
    await go('get', `${MODULE}@${VERSION}`);
    await go('build', '-ldflags=-s -w', '-o', 'docker-compose', MODULE);
    await rename(join(folder, 'docker-compose'), to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
