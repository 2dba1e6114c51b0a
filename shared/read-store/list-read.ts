import {
  bodyRange,
  byteString,
  childCount,
  childId,
  keyEnd,
  levelOf,
  separatorEnd,
  sizeOf,
} from './list-node.ts';

/** Root of a list's tree. `version` is the commit that last changed the list; the row outlives its entries. */
export interface ListRoot {
  id: number;
  total: number;
  version: number;
  /** Undefined where the list is empty. */
  root: number | undefined;
  nextNode: number;
}

/** The bytes of a node, good until the next call. */
export type ReadNode = (id: number) => Buffer;

/** What is taken of a leaf: its bodies `[from, to)`. */
type Take = (leaf: Buffer, n: number, from: number, to: number) => void;

/** The bodies `[offset, offset + limit)`: subtrees before them are skipped by their counts, never read. */
export function readPage(read: ReadNode, list: ListRoot, offset: number, limit: number): Buffer[] {
  const items: Buffer[] = [];
  walk(read, list, offset, limit, (leaf, n, from, to) => {
    const [start] = bodyRange(leaf, n, from, to);
    const run = runOf(leaf, n, from, to);
    for (let i = from; i < to; i++) {
      const [itemStart, itemEnd] = bodyRange(leaf, n, i, i + 1);
      items.push(run.subarray(itemStart - start, itemEnd - start));
    }
  });
  return items;
}

/** The same as the leaves hold them: one run of joined bodies a leaf. */
export function readRuns(read: ReadNode, list: ListRoot, offset: number, limit: number): Buffer[] {
  const runs: Buffer[] = [];
  walk(read, list, offset, limit, (leaf, n, from, to) => runs.push(runOf(leaf, n, from, to)));
  return runs;
}

function walk(read: ReadNode, list: ListRoot, offset: number, limit: number, take: Take): void {
  const count = Math.min(limit, list.total - offset);
  if (list.root !== undefined && count > 0) collect(read, list.root, offset, count, take);
}

/** Takes the bodies `[skip, skip + count)` of a subtree, as many of them as it holds. */
function collect(read: ReadNode, id: number, skip: number, count: number, take: Take): void {
  const stored = read(id);
  const n = sizeOf(stored);
  if (levelOf(stored) === 0) return take(stored, n, skip, Math.min(n, skip + count));
  // Chosen before the first descent, which overwrites `stored`.
  for (const child of chosenChildren(stored, skip, count))
    collect(read, child.id, child.skip, child.count, take);
}

/** Entries `[skip, skip + count)` of a subtree. */
export interface Range {
  id: number;
  skip: number;
  count: number;
}

/** Where the entries `[skip, skip + count)` of an inner node lie. */
export function chosenChildren(stored: Buffer, skip: number, count: number): Range[] {
  const chosen: Range[] = [];
  const n = sizeOf(stored);
  for (let i = 0; i < n && count > 0; i++) {
    const held = childCount(stored, i);
    if (skip < held) {
      const taken = Math.min(count, held - skip);
      chosen.push({ id: childId(stored, n, i), skip, count: taken });
      count -= taken;
      skip = 0;
    } else {
      skip -= held;
    }
  }
  return chosen;
}

/** A copy: the leaf's bytes are good until the next read alone. */
function runOf(leaf: Buffer, n: number, from: number, to: number): Buffer {
  const [start, end] = bodyRange(leaf, n, from, to);
  return Buffer.from(leaf.subarray(start, end));
}

/** How many entries sort before `sortKey`: the counts left of the way down to it. */
export function readRank(read: ReadNode, list: ListRoot, sortKey: string): number {
  const key = byteString(sortKey);
  let rank = 0;
  for (let id = list.root; id !== undefined; ) {
    const stored = read(id);
    const n = sizeOf(stored);
    if (levelOf(stored) === 0) return rank + firstFrom(n, (i) => keyAt(stored, n, i) >= key);
    // The last child whose separator is not beyond the key; the first child's counts as the least of all.
    const child = Math.max(0, firstFrom(n, (i) => separatorAt(stored, n, i) > key) - 1);
    for (let i = 0; i < child; i++) rank += childCount(stored, i);
    id = childId(stored, n, child);
  }
  return rank;
}

/** The least of `[0, n]` for which `holds`, given that it holds for all after that. */
export function firstFrom(n: number, holds: (i: number) => boolean): number {
  let low = 0;
  for (let high = n; low < high; ) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function keyAt(stored: Buffer, n: number, i: number): string {
  return stored.toString('latin1', keyEnd(stored, n, i - 1), keyEnd(stored, n, i));
}

function separatorAt(stored: Buffer, n: number, i: number): string {
  return stored.toString('latin1', separatorEnd(stored, n, i - 1), separatorEnd(stored, n, i));
}
