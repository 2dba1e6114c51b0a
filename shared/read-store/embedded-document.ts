import type { ListEntry, StoredDocument } from './read-store.ts';

/** A document as LMDB holds it; `version` is the commit that last changed its body. */
export type DocumentImage = Omit<StoredDocument, 'model' | 'key'> & { version: number };

/** Offset, version, body size plus one (0 = null), state size plus one; then body, state, and DAO and entries as JSON. */
const OFFSET = 0;
const VERSION = 8;
const BODY = 16;
const STATE = 20;
const HEADER = 24;

export function encodeDocument(image: DocumentImage): Buffer {
  const { body, state } = image;
  const rest = namesOf(image);
  const size = HEADER + (body?.length ?? 0) + (state?.length ?? 0) + Buffer.byteLength(rest);
  const stored = Buffer.allocUnsafe(size);
  stored.writeDoubleLE(image.offset, OFFSET);
  stored.writeDoubleLE(image.version, VERSION);
  stored.writeUInt32LE(body === null ? 0 : body.length + 1, BODY);
  stored.writeUInt32LE(state === null ? 0 : state.length + 1, STATE);
  let at = HEADER;
  at += body?.copy(stored, at) ?? 0;
  at += state?.copy(stored, at) ?? 0;
  stored.write(rest, at);
  return stored;
}

function namesOf({ dao, entries }: DocumentImage): string {
  const names = [dao];
  for (const { list, sortKey } of entries) names.push(list, sortKey);
  return JSON.stringify(names);
}

/** `stored` is kept: body and state are parts of it. */
export function decodeDocument(stored: Buffer): DocumentImage {
  const bodyEnd = HEADER + Math.max(0, stored.readUInt32LE(BODY) - 1);
  const stateEnd = bodyEnd + Math.max(0, stored.readUInt32LE(STATE) - 1);
  const [dao = '', ...rest]: string[] = JSON.parse(stored.toString('utf8', stateEnd));
  const entries: ListEntry[] = [];
  for (let i = 0; i < rest.length; i += 2)
    entries.push({ list: rest[i] as string, sortKey: rest[i + 1] as string });
  return {
    dao,
    offset: stored.readDoubleLE(OFFSET),
    version: stored.readDoubleLE(VERSION),
    body: stored.readUInt32LE(BODY) === 0 ? null : stored.subarray(HEADER, bodyEnd),
    state: stored.readUInt32LE(STATE) === 0 ? null : stored.subarray(bodyEnd, stateEnd),
    entries,
  };
}

/** A copy of the body alone, for readers. */
export function readBody(stored: Buffer): { body: Buffer; version: number } | undefined {
  const size = stored.readUInt32LE(BODY);
  if (size === 0) return undefined;
  return {
    body: Buffer.from(stored.subarray(HEADER, HEADER + size - 1)),
    version: stored.readDoubleLE(VERSION),
  };
}
