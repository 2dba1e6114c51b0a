/**
 * Nodes of the counted B+ trees that hold the lists. Keys are sort keys as byte strings: one
 * character per byte of UTF-8, so that JavaScript's order of strings is the order of the bytes.
 *
 * Leaf:  u8 0, u16 n, u32[n] ends of the keys, u32[n] ends of the bodies, keys, bodies joined by `,`
 * Inner: u8 level, u16 n, u32[n] counts, u48[n] node ids, u32[n] ends of the separators, separators
 *
 * The bodies lie joined as in a JSON array, so that a range of a leaf is one slice of it.
 */
export interface Leaf {
  level: 0;
  keys: string[];
  bodies: Buffer[];
}

export interface Inner {
  level: number;
  children: Child[];
}

export type Node = Leaf | Inner;

/** A written node as its parent knows it: every key in it is at least `separator`. */
export interface Child {
  separator: string;
  id: number;
  count: number;
}

export const LEAF_ENTRIES = 32;
export const INNER_CHILDREN = 128;
/** A node of larger entries holds fewer of them, as many as fill two of LMDB's pages: one change rewrites a whole node. */
export const NODE_BYTES = 2 * 4096 - 16;

const HEADER = 3;
const COMMA = 0x2c;

export function byteString(text: string): string {
  // Most sort keys are ASCII, where the two are the same.
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

export function isLeaf(node: Node): node is Leaf {
  return node.level === 0;
}

export function levelOf(stored: Buffer): number {
  return stored.readUInt8(0);
}

export function sizeOf(stored: Buffer): number {
  return stored.readUInt16LE(1);
}

export function encodeNode(node: Node): Buffer {
  return isLeaf(node) ? encodeLeaf(node) : encodeInner(node);
}

/** `stored` is kept: bodies are parts of it. */
export function decodeNode(stored: Buffer): Node {
  const level = levelOf(stored);
  return level === 0 ? decodeLeaf(stored) : decodeInner(stored, level);
}

function encodeLeaf({ keys, bodies }: Leaf): Buffer {
  const n = keys.length;
  const keyBytes = keys.reduce((sum, key) => sum + key.length, 0);
  const bodyBytes = bodies.reduce((sum, body) => sum + body.length + 1, 0);
  const buffer = Buffer.allocUnsafe(HEADER + 8 * n + keyBytes + Math.max(0, bodyBytes - 1));
  buffer.writeUInt8(0, 0);
  buffer.writeUInt16LE(n, 1);
  let at = HEADER + 8 * n;
  let keysEnd = 0;
  for (const [i, key] of keys.entries()) {
    at += buffer.write(key, at, 'latin1');
    keysEnd += key.length;
    buffer.writeUInt32LE(keysEnd, HEADER + 4 * i);
  }
  const bodiesAt = at;
  for (const [i, body] of bodies.entries()) {
    if (i > 0) buffer[at++] = COMMA;
    at += body.copy(buffer, at);
    buffer.writeUInt32LE(at - bodiesAt, HEADER + 4 * (n + i));
  }
  return buffer;
}

function decodeLeaf(stored: Buffer): Leaf {
  const n = sizeOf(stored);
  const keys: string[] = [];
  const bodies: Buffer[] = [];
  let key = HEADER + 8 * n;
  for (let i = 0; i < n; i++) {
    const end = keyEnd(stored, n, i);
    keys.push(stored.toString('latin1', key, end));
    key = end;
  }
  for (let i = 0; i < n; i++) bodies.push(stored.subarray(...bodyRange(stored, n, i, i + 1)));
  return { level: 0, keys, bodies };
}

/** Where key `i` of a leaf ends, which is where the next begins and, after the last, the bodies do. */
export function keyEnd(stored: Buffer, n: number, i: number): number {
  return HEADER + 8 * n + (i < 0 ? 0 : stored.readUInt32LE(HEADER + 4 * i));
}

/** Where the bodies `[from, to)` of a leaf lie, with the commas between them; `from` is less than `to`. */
export function bodyRange(stored: Buffer, n: number, from: number, to: number): [start: number, end: number] {
  const bodies = keyEnd(stored, n, n - 1);
  const ends = HEADER + 4 * n;
  const start = from === 0 ? bodies : bodies + stored.readUInt32LE(ends + 4 * (from - 1)) + 1;
  return [start, bodies + stored.readUInt32LE(ends + 4 * (to - 1))];
}

function encodeInner({ level, children }: Inner): Buffer {
  const n = children.length;
  const separatorBytes = children.reduce((sum, { separator }) => sum + separator.length, 0);
  const buffer = Buffer.allocUnsafe(HEADER + 14 * n + separatorBytes);
  buffer.writeUInt8(level, 0);
  buffer.writeUInt16LE(n, 1);
  const base = HEADER + 14 * n;
  let end = 0;
  for (const [i, { separator, id, count }] of children.entries()) {
    buffer.writeUInt32LE(count, HEADER + 4 * i);
    buffer.writeUIntLE(id, HEADER + 4 * n + 6 * i, 6);
    end += buffer.write(separator, base + end, 'latin1');
    buffer.writeUInt32LE(end, HEADER + 10 * n + 4 * i);
  }
  return buffer;
}

function decodeInner(stored: Buffer, level: number): Inner {
  const n = sizeOf(stored);
  const children: Child[] = [];
  for (let i = 0; i < n; i++) {
    const separator = stored.toString('latin1', separatorEnd(stored, n, i - 1), separatorEnd(stored, n, i));
    children.push({ separator, id: childId(stored, n, i), count: childCount(stored, i) });
  }
  return { level, children };
}

export function childCount(stored: Buffer, i: number): number {
  return stored.readUInt32LE(HEADER + 4 * i);
}

export function childId(stored: Buffer, n: number, i: number): number {
  return stored.readUIntLE(HEADER + 4 * n + 6 * i, 6);
}

/** Where separator `i` of an inner node ends, which is where the next begins. */
export function separatorEnd(stored: Buffer, n: number, i: number): number {
  return HEADER + 14 * n + (i < 0 ? 0 : stored.readUInt32LE(HEADER + 10 * n + 4 * i));
}
