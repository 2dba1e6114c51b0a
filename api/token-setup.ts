import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Config } from '../shared/config.ts';
import { InvalidInputError } from '../shared/errors.ts';
import type { RevokedToken } from '../shared/revocations/revocation-list.ts';
import { makeRevocationList, openEventLog, openRevocationList, using } from '../shared/stores.ts';
import { configuredKeys } from './key-file.ts';

const saved = z.array(z.object({ jti: z.string(), exp: z.number().int().nonnegative() }));

/**
 * Readies what tokens need before the first start, and says what it did; may run before every start.
 * It makes the list of revoked tokens where the log is empty alone: a deployment that has indexed
 * nothing serves nobody, and any other one that has no list has lost it.
 */
export async function setUpTokens(config: Config): Promise<string> {
  if (config.REDIS_URL === undefined) return 'nothing to set up: the list of revoked tokens makes itself';
  await configuredKeys(config);
  if (await hasIndexed(config)) {
    await using(await openRevocationList(config), (list) => list.isRevoked('setup'));
    return 'the list of revoked tokens is there';
  }
  const made = await makeRevocationList(config);
  return made === 'created' ? 'made the list of revoked tokens' : 'the list of revoked tokens is there';
}

/** Makes the list where there is none, with the entries of the file; an entry that is there stays. */
export async function restoreRevocations(
  config: Config,
  file: string | undefined,
  acceptLoss: boolean,
): Promise<string> {
  if ((file === undefined) !== acceptLoss) {
    throw new InvalidInputError(
      'INVALID_RESTORE',
      'Give the file that `token list --json` wrote, or --accept-loss where there is none',
    );
  }
  const entries = file === undefined ? [] : await readSaved(file);
  await makeRevocationList(config, entries);
  return `restored ${entries.length} revoked tokens`;
}

async function hasIndexed(config: Config): Promise<boolean> {
  const ends = await using(await openEventLog(config), (log) => log.ends());
  return ends.some(({ end, asOf }) => end > 0 || asOf !== null);
}

async function readSaved(file: string): Promise<RevokedToken[]> {
  try {
    return saved.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new InvalidInputError(
      'INVALID_RESTORE',
      `${file} is not what \`token list --json\` wrote: a JSON array of {"jti", "exp"}`,
      error,
    );
  }
}
