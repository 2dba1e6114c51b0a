import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../shared/config.ts';
import { FatalError } from '../shared/errors.ts';
import { writeFileAtomically } from '../shared/write-file-atomically.ts';
import { type JwtKeys, parseJwtKeys } from './jwt-keys.ts';

/**
 * The keys of the configuration; where it has none, a key of this data folder's own, made at the
 * first use and readable by the owner alone. Processes that share revoked tokens need the same keys: a
 * FatalError `JWT_KEYS_MISSING` where each would make one.
 */
export async function configuredKeys(config: Config): Promise<JwtKeys> {
  if (config.JWT_KEYS === undefined && config.REDIS_URL !== undefined) {
    const message =
      'Set JWT_KEYS: processes that share revoked tokens in Redis need the same keys for tokens';
    throw new FatalError('JWT_KEYS_MISSING', message);
  }
  return parseJwtKeys(config.JWT_KEYS ?? (await ownKeys(config.DATA_DIR)));
}

async function ownKeys(folder: string): Promise<string> {
  const path = join(folder, 'jwt-keys.json');
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const secret = randomBytes(48).toString('base64url');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomically(path, JSON.stringify([{ kid: 'own', alg: 'HS256', secret }]));
  return await readFile(path, 'utf8');
}
