import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { InvalidInputError } from '../errors.ts';
import { LmdbEnvironment } from './lmdb-environment.ts';

/**
 * In this order: read models must not be newer than the log that they are folded from, and a list of
 * revoked tokens should be as new as can be.
 */
const STORES = ['read', 'log', 'revocations'];
/** What the service keeps beside its stores. */
const FILES = ['format.json', 'jwt-keys.json', 'revocations.opened'];

/**
 * Copies a data folder into a new one while the service goes on. Each environment is copied as it
 * stands at one moment; the copy appears under its name once it is whole.
 */
export async function backUp(dataDir: string, target: string): Promise<void> {
  if (existsSync(target)) {
    throw new InvalidInputError('BACKUP_EXISTS', `${target} is there already: name a folder that is not`);
  }
  if (!existsSync(join(dataDir, 'format.json'))) {
    throw new InvalidInputError(
      'NO_DATA_FOLDER',
      `${dataDir} holds no data: set DATA_DIR to what is to be saved`,
    );
  }
  const draft = `${target}.part`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    for (const store of STORES)
      for (const path of await environmentsIn(join(dataDir, store)))
        await copyEnvironment(path, join(draft, relative(dataDir, path)));
    for (const file of FILES)
      if (existsSync(join(dataDir, file))) await copyFile(join(dataDir, file), join(draft, file));
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** The folders of environments at or below a path, those that list others first. */
async function environmentsIn(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  const files = await readdir(path, { recursive: true });
  const found = files.filter((file) => file.endsWith('data.mdb')).map((file) => dirname(join(path, file)));
  return found.toSorted();
}

async function copyEnvironment(from: string, to: string): Promise<void> {
  const env = new LmdbEnvironment(from);
  try {
    await mkdir(to, { recursive: true, mode: 0o700 });
    await env.backup(to);
  } finally {
    await env.close();
  }
}
