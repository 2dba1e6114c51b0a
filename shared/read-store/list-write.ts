import { FatalError } from '../errors.ts';
import { type Child, decodeNode, encodeNode, type Inner, isLeaf, type Leaf } from './list-node.ts';
import { firstFrom, type ListRoot, type ReadNode } from './list-read.ts';
import { countOf, fillOf, type Growth, joinNodes, type Part, splitNode } from './list-split.ts';

/** What a batch makes of one sort key, a byte string; `had`: the list held it before. */
export interface ListChange {
  sortKey: string;
  /** Null removes the entry. */
  body: Buffer | null;
  had: boolean;
}

export interface NodeTable {
  /** A copy that may be kept. */
  read: ReadNode;
  write(id: number, bytes: Buffer): void;
  remove(id: number): void;
}

/** A node that was changed and is not written yet. */
interface Changed extends Part {
  id: number | undefined;
  shrunk: boolean;
}

/** A node that lost entries and is emptier than this is joined with a neighbour. */
const SPARSE = 0.25;

/**
 * Applies the changes of a batch, in the order of their sort keys, to the tree of one list: each
 * node that they touch is read once and written once, whatever the number of changes in it.
 */
export function changeList(nodes: NodeTable, list: ListRoot, changes: ListChange[]): ListRoot {
  return new ListChanger(nodes, list).apply(changes);
}

class ListChanger {
  private readonly nodes: NodeTable;
  private readonly list: ListRoot;

  constructor(nodes: NodeTable, list: ListRoot) {
    this.nodes = nodes;
    this.list = { ...list };
  }

  apply(changes: ListChange[]): ListRoot {
    const { root } = this.list;
    const before: Changed =
      root === undefined
        ? { separator: '', node: { level: 0, keys: [], bodies: [] }, id: undefined, shrunk: false }
        : this.load({ separator: '', id: root, count: this.list.total });
    let parts = this.change(before, changes);
    this.list.total = parts.reduce((sum, { node }) => sum + countOf(node), 0);
    while (parts.length > 1) {
      const level = (parts[0]?.node.level ?? 0) + 1;
      const node: Inner = { level, children: parts.map((part) => this.write(part)) };
      parts = this.split({ separator: '', node, id: undefined, shrunk: false }, [], 'even');
    }
    this.list.root = parts[0] && this.writeRoot(parts[0]);
    return this.list;
  }

  /** A root with one child only is a level too many. */
  private writeRoot(part: Changed): number {
    const { node } = part;
    const only = isLeaf(node) || node.children.length > 1 ? undefined : node.children[0];
    if (only === undefined) return this.write(part).id;
    if (part.id !== undefined) this.nodes.remove(part.id);
    const child = this.load(only);
    return isLeaf(child.node) || child.node.children.length > 1 ? only.id : this.writeRoot(child);
  }

  /** The changed node, in as many parts as it takes to hold what it holds now. */
  private change(part: Changed, changes: ListChange[]): Changed[] {
    return isLeaf(part.node)
      ? this.changeLeaf(part, part.node, changes)
      : this.changeInner(part, part.node, changes);
  }

  private changeLeaf(part: Changed, leaf: Leaf, changes: ListChange[]): Changed[] {
    const merged = mergeLeaf(leaf, changes);
    const last = leaf.keys.at(-1);
    const first = leaf.keys[0];
    const allAtEnd = last !== undefined && changes.every(({ sortKey }) => sortKey > last);
    const allAtStart = first !== undefined && changes.every(({ sortKey }) => sortKey < first);
    const shrunk = merged.keys.length < leaf.keys.length;
    return this.split(
      { ...part, node: merged, shrunk },
      [],
      allAtEnd ? 'end' : allAtStart ? 'start' : 'even',
    );
  }

  private changeInner(part: Changed, inner: Inner, changes: ListChange[]): Changed[] {
    const slots: (Child | Changed)[] = [];
    let from = 0;
    let touched = 0;
    for (const [i, child] of inner.children.entries()) {
      const upper = inner.children[i + 1]?.separator;
      const to =
        upper === undefined ? changes.length : firstFrom(changes.length, (at) => beyond(changes, at, upper));
      if (from < to) {
        slots.push(...this.change(this.load(child), changes.slice(from, to)));
        touched++;
      } else {
        slots.push(child);
      }
      from = to;
    }
    const ends = [inner.children[0] === slots[0], inner.children.at(-1) === slots.at(-1)];
    const growth: Growth =
      touched > 1 ? 'even' : ends[0] && !ends[1] ? 'end' : ends[1] && !ends[0] ? 'start' : 'even';
    this.mend(slots);
    const children = slots.map((slot) => ('node' in slot ? this.write(slot) : slot));
    const shrunk = children.length < inner.children.length;
    return this.split({ ...part, node: { level: inner.level, children }, shrunk }, [], growth);
  }

  /** Joins the sparse among the changed children with a neighbour, so that a list that shrinks keeps its nodes filled. */
  private mend(slots: (Child | Changed)[]): void {
    for (let i = 0; i < slots.length && slots.length > 1; ) {
      const slot = slots[i];
      if (slot === undefined || !('node' in slot) || !slot.shrunk || fillOf(slot.node) >= SPARSE) {
        i++;
        continue;
      }
      const at = Math.min(i, slots.length - 2);
      const [left, right] = slots.slice(at, at + 2).map((each) => ('node' in each ? each : this.load(each)));
      if (left === undefined || right === undefined) return;
      const node = joinNodes(left.node, right.node);
      const joined = { separator: left.separator, node, id: left.id, shrunk: true };
      slots.splice(at, 2, ...this.split(joined, right.id === undefined ? [] : [right.id], 'even'));
      // The joined node is looked at again: it may still be sparse, and has come nearer to being full.
      i = at;
      if (fillOf(node) > 1) i += 2;
    }
  }

  /** Parts take the ids of the node and `spare` first; what is left of those is removed. */
  private split(part: Changed, spare: number[], growth: Growth): Changed[] {
    const ids = part.id === undefined ? spare : [part.id, ...spare];
    const parts = splitNode(part, growth);
    for (const id of ids.slice(parts.length)) this.nodes.remove(id);
    const shrunk = part.shrunk && parts.length === 1;
    return parts.map(({ separator, node }, i) => ({ separator, node, id: ids[i], shrunk }));
  }

  private load({ separator, id }: Child): Changed {
    return { separator, node: decodeNode(this.nodes.read(id)), id, shrunk: false };
  }

  private write({ separator, node, id = this.list.nextNode++ }: Changed): Child {
    this.nodes.write(id, encodeNode(node));
    return { separator, id, count: countOf(node) };
  }
}

function beyond(changes: ListChange[], at: number, separator: string): boolean {
  const change = changes[at];
  return change !== undefined && change.sortKey >= separator;
}

/** Both are in order; what does not fit the claim of a change stops the commit. */
function mergeLeaf(leaf: Leaf, changes: ListChange[]): Leaf {
  const keys: string[] = [];
  const bodies: Buffer[] = [];
  let at = 0;
  const keepUntil = (limit: string | undefined) => {
    for (; at < leaf.keys.length; at++) {
      const key = leaf.keys[at];
      const body = leaf.bodies[at];
      if (key === undefined || body === undefined || (limit !== undefined && key >= limit)) return;
      keys.push(key);
      bodies.push(body);
    }
  };
  for (const { sortKey, body, had } of changes) {
    keepUntil(sortKey);
    const found = leaf.keys[at] === sortKey;
    if (found !== had) throw found ? sortKeyTaken(sortKey) : entryMissing(sortKey);
    if (found) at++;
    if (body === null) continue;
    keys.push(sortKey);
    bodies.push(body);
  }
  keepUntil(undefined);
  return { level: 0, keys, bodies };
}

export function sortKeyTaken(sortKey: string): FatalError {
  return new FatalError(
    'SORT_KEY_TAKEN',
    `Two documents claim the sort key "${sortKey}" of one list: the projection must make it unique. Nothing was committed.`,
  );
}

function entryMissing(sortKey: string): FatalError {
  return new FatalError(
    'LIST_DAMAGED',
    `A list lacks the entry "${sortKey}" that its document names: rebuild the generation. Nothing was committed.`,
  );
}
