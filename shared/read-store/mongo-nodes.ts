import { decodeNode, isLeaf, levelOf } from './list-node.ts';
import { chosenChildren, firstFrom, type ListRoot, type Range, type ReadNode } from './list-read.ts';
import type { ListChange, NodeTable } from './list-write.ts';
import { type NodeImage, nodeId } from './mongo-rows.ts';
import type { Snapshot } from './mongo-snapshot.ts';

class NotFetched extends Error {
  readonly node: number;

  constructor(node: number) {
    super(`Node ${node} is not fetched yet`);
    this.node = node;
  }
}

/** The nodes of one list, fetched as far as the tree's functions, which do not wait, come to need them. */
export class FetchedNodes {
  private readonly snapshot: Snapshot;
  private readonly list: string;
  private readonly nodes = new Map<number, Buffer>();

  constructor(snapshot: Snapshot, list: string) {
    this.snapshot = snapshot;
    this.list = list;
  }

  readonly read: ReadNode = (id) => {
    const node = this.nodes.get(id);
    if (node === undefined) throw new NotFetched(id);
    return node;
  };

  /** Runs `action`, which changes nothing but what it returns, until it lacks no node. */
  async run<T>(action: () => T): Promise<T> {
    for (;;) {
      try {
        return action();
      } catch (error) {
        if (!(error instanceof NotFetched)) throw error;
        await this.fetch([error.node]);
      }
    }
  }

  /** What a page will read, a level of the tree at a time. */
  async fetchRange({ root, total }: ListRoot, offset: number, limit: number): Promise<void> {
    if (root === undefined || offset >= total) return;
    for (let ranges: Range[] = [{ id: root, skip: offset, count: limit }]; ranges.length > 0; ) {
      const nodes = await this.fetch(ranges.map(({ id }) => id));
      ranges = ranges.flatMap(({ skip, count }, i) => {
        const node = nodes[i];
        return node === undefined || levelOf(node) === 0 ? [] : chosenChildren(node, skip, count);
      });
    }
  }

  /** What changes in the order of their sort keys will touch, a level of the tree at a time. */
  async fetchTouched({ root }: ListRoot, changes: ListChange[]): Promise<void> {
    let touched = root === undefined ? [] : [{ id: root, changes }];
    while (touched.length > 0) {
      const nodes = await this.fetch(touched.map(({ id }) => id));
      touched = touched.flatMap((each, i) => touchedChildren(nodes[i], each.changes));
    }
  }

  private async fetch(ids: number[]): Promise<Buffer[]> {
    return Promise.all(
      ids.map(async (id) => {
        const { node } = await this.snapshot.need<NodeImage>('nodes', nodeId(this.list, id));
        this.nodes.set(id, node);
        return node;
      }),
    );
  }
}

/** A tree's changed nodes, before anything is written. */
export class ChangedNodes implements NodeTable {
  readonly written = new Map<number, Buffer>();
  readonly removed = new Set<number>();
  private readonly stored: ReadNode;

  constructor(stored: ReadNode) {
    this.stored = stored;
  }

  readonly read: ReadNode = (id) => this.written.get(id) ?? this.stored(id);

  write(id: number, bytes: Buffer): void {
    this.written.set(id, bytes);
  }

  remove(id: number): void {
    this.written.delete(id);
    this.removed.add(id);
  }
}

function touchedChildren(
  stored: Buffer | undefined,
  changes: ListChange[],
): { id: number; changes: ListChange[] }[] {
  if (stored === undefined || levelOf(stored) === 0) return [];
  const node = decodeNode(stored);
  if (isLeaf(node)) return [];
  const touched: { id: number; changes: ListChange[] }[] = [];
  let from = 0;
  for (const [i, { id }] of node.children.entries()) {
    const upper = node.children[i + 1]?.separator;
    const to =
      upper === undefined
        ? changes.length
        : firstFrom(changes.length, (at) => (changes[at]?.sortKey ?? upper) >= upper);
    if (from < to) touched.push({ id, changes: changes.slice(from, to) });
    from = to;
  }
  return touched;
}
