import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { InvalidInputError } from '../../shared/errors.ts';

type Chunks = AsyncIterable<Uint8Array>;

/** Writes to standard output as fast as it is read. Whoever reads may stop early (`| head`). */
export async function writeToStdout(chunks: Chunks, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(chunks, process.stdout, { signal, end: false });
  } catch (error) {
    if (!isClosedPipe(error)) throw error;
  }
}

/** Writes a file that is there once it is whole; until then, and after a failure, the path is as it was. */
export async function writeToFile(path: string, chunks: Chunks, signal: AbortSignal): Promise<void> {
  await checkReplaceable(path);
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await pipeline(chunks, createWriteStream(draft, { flags: 'wx', flush: true }), { signal });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    if (isFileError(error) && error.syscall === 'open') throw unwritable(path, error);
    throw error;
  }
}

async function checkReplaceable(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  // A rename would put a file where a device or a link is.
  if (found && !found.isFile()) throw unwritable(path);
}

function unwritable(path: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError(
    'OUTPUT_UNWRITABLE',
    `Cannot write ${path}: name a regular file in a folder that is there and may be written, or leave --output out`,
    cause,
  );
}

function isClosedPipe(error: unknown): boolean {
  return isFileError(error) && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE');
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
