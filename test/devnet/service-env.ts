import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { writeFileAtomically } from '../../shared/write-file-atomically.ts';

/**
 * Writes the settings with which a service elsewhere indexes and serves this devnet, as Node's
 * `--env-file` reads them, with a key for its tokens that stays the same.
 */
export async function writeServiceEnv(path: string, url: string, daos: readonly string[]): Promise<void> {
  const settings = {
    TON_ENDPOINTS: url,
    TON_REQUESTS_PER_SECOND: '10000',
    TRACKED_DAOS: daos.join(','),
    JWT_KEYS: (await keysOf(path)) ?? newKeys(),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
  await writeFileAtomically(path, lines.join(''));
}

async function keysOf(path: string): Promise<string | undefined> {
  try {
    return parseEnv(await readFile(path, 'utf8'))['JWT_KEYS'];
  } catch {
    return undefined;
  }
}

function newKeys(): string {
  return JSON.stringify([{ kid: 'devnet', alg: 'HS256', secret: randomBytes(48).toString('base64url') }]);
}
