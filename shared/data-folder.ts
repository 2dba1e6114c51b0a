import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FatalError } from './errors.ts';

const FORMAT = 2;
/** Whatever of ours lies in a folder without a format was written by we know not what. */
const STORES = new Set(['log', 'read', 'revocations']);

/**
 * Makes `dir` a data folder of this format, or checks that it is one: data of another format is
 * refused before anything opens it. For the owner alone, since it holds the revoked tokens.
 */
export async function openDataFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const format = await readFormat(dir);
  if (format === FORMAT) return;
  if (format !== undefined) throw unknownFormat(dir, `has the data format ${format}`);
  const found = (await readdir(dir)).filter((name) => STORES.has(name));
  if (found.length > 0 && (await readFormat(dir)) === undefined) {
    throw unknownFormat(dir, `holds ${found.join(', ')} but no format.json`);
  }
  await chmod(dir, 0o700);
  await writeFormat(dir);
}

async function readFormat(dir: string): Promise<string | number | undefined> {
  let text: string;
  try {
    text = await readFile(join(dir, 'format.json'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const format = parseFormat(text);
  return typeof format === 'number' ? format : `"${text.slice(0, 40).trim()}"`;
}

function parseFormat(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && 'format' in parsed ? parsed.format : undefined;
  } catch {
    return undefined;
  }
}

/** There whole or not at all, also where two processes begin at once or the power goes. */
async function writeFormat(dir: string): Promise<void> {
  const draft = join(dir, `.format-${randomUUID()}`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ format: FORMAT })}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(dir, 'format.json'));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function unknownFormat(dir: string, what: string): FatalError {
  return new FatalError(
    'DATA_FORMAT_UNKNOWN',
    `The data folder ${dir} ${what}, and this version knows the format ${FORMAT}: run the version that wrote it, ` +
      'or set DATA_DIR to an empty folder and index anew',
  );
}
