import { expect } from 'chai';
import * as fc from 'fast-check';
import { decodeNode, isLeaf, type Node } from '../../../shared/read-store/list-node.ts';
import { type ListRoot, readPage, readRank } from '../../../shared/read-store/list-read.ts';
import { countOf } from '../../../shared/read-store/list-split.ts';
import { changeList, type ListChange } from '../../../shared/read-store/list-write.ts';

/** A list whose nodes lie in memory, and the sorted entries that it has to equal; a batch writes no node twice. */
class ModelledList {
  readonly nodes = new Map<number, Buffer>();
  readonly model = new Map<string, string>();
  list: ListRoot = { id: 1, total: 0, version: 0, root: undefined, nextNode: 0 };

  readonly read = (id: number): Buffer => {
    const node = this.nodes.get(id);
    if (node === undefined) throw new Error(`Node ${id} is not there`);
    return node;
  };

  /** Puts where there is a body, removes where it is null; what is not there is not removed. */
  apply(changes: Map<string, string | null>): void {
    const ordered: ListChange[] = [];
    for (const [sortKey, body] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const had = this.model.has(sortKey);
      if (body === null && !had) continue;
      ordered.push({ sortKey, body: body === null ? null : Buffer.from(body), had });
      if (body === null) this.model.delete(sortKey);
      else this.model.set(sortKey, body);
    }
    if (ordered.length === 0) return;
    const written = new Set<number>();
    const table = {
      read: this.read,
      write: (id: number, bytes: Buffer) => {
        expect(written.has(id), `node ${id} is written once`).to.equal(false);
        written.add(id);
        this.nodes.set(id, bytes);
      },
      remove: (id: number) => expect(this.nodes.delete(id), `node ${id} is removed once`).to.equal(true),
    };
    this.list = changeList(table, this.list, ordered);
  }

  /** The tree is whole, holds the model, and has no node that nobody reaches. */
  check(): void {
    const reached: number[] = [];
    const entries: [string, string][] = [];
    if (this.list.root !== undefined) this.walk(this.list.root, undefined, '', undefined, reached, entries);
    expect(reached.toSorted((a, b) => a - b)).to.deep.equal([...this.nodes.keys()].sort((a, b) => a - b));
    expect(entries).to.deep.equal([...this.model].sort(([a], [b]) => (a < b ? -1 : 1)));
    expect(this.list.total).to.equal(this.model.size);
  }

  private walk(
    id: number,
    level: number | undefined,
    from: string,
    to: string | undefined,
    reached: number[],
    entries: [string, string][],
  ): Node {
    reached.push(id);
    const node = decodeNode(this.read(id));
    if (level !== undefined) expect(node.level).to.equal(level);
    if (isLeaf(node)) {
      expect(node.keys.length).to.be.within(1, 32);
      for (const [i, key] of node.keys.entries()) {
        expect(key >= from && (to === undefined || key < to)).to.equal(true);
        entries.push([key, node.bodies[i]?.toString() ?? '']);
      }
      return node;
    }
    expect(node.children.length).to.be.within(level === undefined ? 2 : 1, 128);
    for (const [i, child] of node.children.entries()) {
      const upper = node.children[i + 1]?.separator ?? to;
      const below = this.walk(
        child.id,
        node.level - 1,
        i === 0 ? from : child.separator,
        upper,
        reached,
        entries,
      );
      expect(child.count).to.equal(countOf(below));
    }
    return node;
  }

  get leaves(): number {
    return [...this.nodes.values()].filter((node) => isLeaf(decodeNode(node))).length;
  }

  pageAndRank(offset: number, limit: number, sortKey: string): { items: string[]; rank: number } {
    const items = readPage(this.read, this.list, offset, limit).map((item) => item.toString());
    return { items, rank: readRank(this.read, this.list, sortKey) };
  }
}

function keyOf(n: number): string {
  return String(n).padStart(7, '0');
}

function changesOf(numbers: number[], body: (n: number) => string | null): Map<string, string | null> {
  return new Map(numbers.map((n) => [keyOf(n), body(n)]));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

describe('The counted tree of an embedded list', () => {
  it('is what a sorted array is, after whatever batches', () => {
    const body = fc.option(
      fc.oneof({ weight: 9, arbitrary: fc.string({ maxLength: 40 }) }, fc.constant('x'.repeat(5000))),
    );
    // Runs of neighbours, put or removed as one, empty whole nodes at a time.
    const run = fc.record({ from: fc.nat(3000), length: fc.nat(700), body });
    const batch = fc.array(run, { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 10 }), fc.nat(), fc.nat(3000), (batches, start, probe) => {
        const list = new ModelledList();
        for (const runs of batches) {
          list.apply(
            new Map(
              runs.flatMap(({ from, length, body: each }) => [
                ...changesOf(range(from, from + length), () => each),
              ]),
            ),
          );
          list.check();
          const sorted = [...list.model].sort(([a], [b]) => (a < b ? -1 : 1));
          const offset = start % (sorted.length + 2);
          expect(list.pageAndRank(offset, 70, keyOf(probe))).to.deep.equal({
            items: sorted.slice(offset, offset + 70).map(([, each]) => each),
            rank: sorted.filter(([key]) => key < keyOf(probe)).length,
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  for (const [name, order] of [
    ['at its end', (n: number) => n],
    ['at its start', (n: number) => 20_000 - n],
  ] as const) {
    it(`keeps its leaves nearly full where it grows ${name}, one entry at a time`, () => {
      const list = new ModelledList();
      for (const n of range(0, 20_000)) list.apply(changesOf([order(n)], String));
      list.check();
      expect(list.leaves).to.be.at.most(20_000 / 32 + 2);
    });
  }

  it('keeps its leaves half full where it grows at random', () => {
    const list = new ModelledList();
    for (const n of range(0, 20_000)) list.apply(changesOf([(n * 7919) % 20_000], String));
    list.check();
    expect(list.leaves).to.be.at.most(20_000 / 16);
  });

  it('gives its nodes back as it shrinks, whichever entries go', () => {
    for (const kept of [
      (n: number) => n % 40 === 0,
      (n: number) => n % 2000 < 50,
      (n: number) => n > 19_500,
    ]) {
      for (const size of [1, 37, 5000]) {
        const list = new ModelledList();
        list.apply(changesOf(range(0, 20_000), String));
        const going = range(0, 20_000).filter((n) => !kept(n));
        for (let i = 0; i < going.length; i += size)
          list.apply(changesOf(going.slice(i, i + size), () => null));
        list.check();
        expect(list.leaves).to.be.at.most(Math.ceil(list.list.total / 8) + 2);
      }
    }
  });

  it('stays small where every entry moves on again and again, as a queue does', () => {
    const list = new ModelledList();
    list.apply(changesOf(range(0, 500), String));
    for (const n of range(0, 20_000))
      list.apply(new Map([...changesOf([n], () => null), ...changesOf([n + 500], String)]));
    list.check();
    expect(list.list.total).to.equal(500);
    expect(list.leaves).to.be.at.most(70);
  });

  it('goes down to nothing', () => {
    const list = new ModelledList();
    list.apply(changesOf(range(0, 50_000), String));
    list.check();
    list.apply(changesOf(range(0, 50_000), () => null));
    list.check();
    expect(list.nodes.size).to.equal(0);
  });
});
