import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { BlockCommit } from '../chain/chain-store.ts';
import type { StoryFacts } from './facts.ts';

/** A story as it was played once: what each of its blocks wrote. */
export interface Recording {
  commits: BlockCommit[];
  facts: StoryFacts;
}

export const recordingFile = fileURLToPath(new URL('./recorded.bin.br', import.meta.url));

// Half of the bytes are codes and headers that come again and again, far apart.
const BROTLI = {
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
};

/** Writes a recording: the length of its JSON, the JSON, and the byte arrays that it speaks of, one after the other. */
export async function writeRecording(file: string, recording: Recording): Promise<void> {
  const bytes: Uint8Array[] = [];
  const json = Buffer.from(JSON.stringify(withoutBytes(newestStatesOnly(recording), bytes)), 'utf8');
  const head = Buffer.alloc(4);
  head.writeUInt32BE(json.length);
  const packed = await promisify(brotliCompress)(Buffer.concat([head, json, ...bytes]), { params: BROTLI });
  await writeFile(file, packed);
}

export async function readRecording(file: string): Promise<Recording> {
  const unpacked = await promisify(brotliDecompress)(await readFile(file));
  const jsonEnd = 4 + unpacked.readUInt32BE(0);
  let at = jsonEnd;
  return JSON.parse(unpacked.toString('utf8', 4, jsonEnd), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('bytes' in value)) {
      return value;
    }
    at += Number(value.bytes);
    return unpacked.subarray(at - Number(value.bytes), at);
  }) as Recording;
}

/** The executor's own form of an account is needed only where the chain goes on: after its last change. */
function newestStatesOnly({ commits, facts }: Recording): Recording {
  const seen = new Set<string>();
  const kept = commits.toReversed().map((commit) => {
    const states = commit.states.map((entry) => {
      const isNewest = !seen.has(entry.account);
      seen.add(entry.account);
      return isNewest ? entry : { ...entry, shardAccount: '' };
    });
    return { ...commit, states };
  });
  return { commits: kept.toReversed(), facts };
}

/** The same value with `{bytes: length}` for each byte array, which are gathered in the order of the JSON. */
function withoutBytes(value: unknown, bytes: Uint8Array[]): unknown {
  if (value instanceof Uint8Array) {
    bytes.push(value);
    return { bytes: value.length };
  }
  if (Array.isArray(value)) {
    return value.map((item) => withoutBytes(item, bytes));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutBytes(item, bytes)]));
  }
  return value;
}
