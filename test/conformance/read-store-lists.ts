import { expect } from 'chai';
import * as fc from 'fast-check';
import type {
  GenerationWriter,
  ListEntry,
  PlacedEntry,
  ReadStore,
  StoredDocument,
} from '../../shared/read-store/read-store.ts';
import { batchOf, documentOf, entry, parsed } from './documents.ts';

const LISTS = ['holders', 'votes', 'of/0:ab'];

/** The part of the ReadStore's suite that is about lists. */
export function listConformance(storeOf: () => ReadStore): void {
  describe('a list', () => {
    let store: ReadStore;
    let writer: GenerationWriter;
    let offset: number;

    beforeEach(async () => {
      store = storeOf();
      offset = 0;
      writer = await store.openWriter((await store.create('1', 1)).id);
    });

    async function commit(documents: StoredDocument[]): Promise<void> {
      expect(await writer.commit(batchOf(offset, offset + 1, documents))).to.equal('committed');
      offset++;
    }

    async function bodies(list: string, from = 0, limit = 1000): Promise<unknown[]> {
      return parsed((await store.view((view) => view.page(list, from, limit)))?.items ?? []);
    }

    it('is empty where nothing was ever put into it', async () => {
      await store.view(async (view) => {
        expect((await view.list('none')).total).to.equal(0);
        expect(await view.page('none', 0, 10)).to.deep.include({ total: 0, items: [] });
        expect(await view.rank('none', 'x')).to.equal(0);
      });
    });

    it('is ordered by the bytes of its sort keys', async () => {
      const keys = ['Z', 'a', 'aa', 'z', 'é', '\u{e000}', '\u{ffff}', '😀', '\u{10fffd}', '-', '0:ff', '~'];
      await commit(keys.map((key, n) => documentOf(`d${n}`, key, [entry('l', key)])));
      const ordered = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(await bodies('l')).to.deep.equal(ordered);
      await store.view(async (view) => {
        for (const [rank, key] of ordered.entries()) expect(await view.rank('l', key)).to.equal(rank);
        expect(await view.rank('l', '')).to.equal(0);
        expect(await view.rank('l', '\u{10ffff}')).to.equal(keys.length);
      });
    });

    it('gives pages that join, none past the end, and its total with each', async () => {
      const count = 500;
      await commit(
        Array.from({ length: count }, (_, n) =>
          documentOf(`d${n}`, n, [entry('l', String(n).padStart(5, '0'))]),
        ),
      );
      await store.view(async (view) => {
        for (const [from, limit] of [
          [0, 1],
          [0, 100],
          [31, 2],
          [33, 64],
          [450, 50],
          [450, 100],
          [499, 1],
          [500, 10],
          [9999, 1],
          [7, 0],
        ] as const) {
          const page = await view.page('l', from, limit);
          expect(page.total).to.equal(count);
          expect(parsed(page.items)).to.deep.equal(
            Array.from({ length: count }, (_, n) => n).slice(from, from + limit),
          );
          expect({ total: page.total, version: page.version }).to.deep.equal(await view.list('l'));
        }
      });
    });

    it('lets documents change places within one batch', async () => {
      await commit(['a', 'b', 'c'].map((key) => documentOf(key, key, [entry('l', key)])));
      await commit([
        documentOf('a', 'a', [entry('l', 'b')]),
        documentOf('b', 'b', [entry('l', 'c')]),
        documentOf('c', 'c', [entry('l', 'a')]),
      ]);
      expect(await bodies('l')).to.deep.equal(['c', 'a', 'b']);
      await commit([documentOf('c', null), documentOf('d', 'd', [entry('l', 'a')])]);
      expect(await bodies('l')).to.deep.equal(['d', 'a', 'b']);
    });

    it('may hold a document twice, and a document may be in many', async () => {
      await commit([documentOf('a', 1, [entry('l', 'a'), entry('l', 'z'), entry('m', 'a')])]);
      expect(await bodies('l')).to.deep.equal([1, 1]);
      await commit([documentOf('a', 2, [entry('l', 'z'), entry('n', 'a')])]);
      expect([await bodies('l'), await bodies('m'), await bodies('n')]).to.deep.equal([[2], [], [2]]);
    });

    it('has a version that changes with its entries and their bodies, and never comes again', async () => {
      const first = documentOf('a', 1, [entry('l', 'a')]);
      const versions: (string | undefined)[] = [];
      const note = async (id?: string) =>
        versions.push((await store.view((view) => view.list('l'), id))?.version);
      await note();
      for (const document of [
        first,
        documentOf('a', 2, [entry('l', 'a')]),
        documentOf('a', 2, [entry('l', 'b')]),
        first,
        documentOf('a', null),
        first,
        documentOf('a', 1),
        first,
      ]) {
        await commit([document]);
        await note();
      }
      const other = await store.create('2', 1);
      await note(other.id);
      await (await store.openWriter(other.id)).commit(batchOf(0, 1, [first]));
      await note(other.id);
      expect(new Set(versions)).to.have.property('size', versions.length);
    });

    it('is emptied and filled again', async () => {
      const documents = Array.from({ length: 300 }, (_, n) => documentOf(`d${n}`, n, [entry('l', `k${n}`)]));
      for (let round = 0; round < 3; round++) {
        await commit(documents);
        expect((await bodies('l')).length).to.equal(300);
        await commit(documents.map(({ key }) => documentOf(key, null)));
        expect(await bodies('l')).to.deep.equal([]);
        expect(await store.view((view) => view.rank('l', 'k5'))).to.equal(0);
      }
    });

    it('is what documents ask for whose entries are placed apart from them, and changes with them from then on', async () => {
      const documents = Array.from({ length: 400 }, (_, n) =>
        documentOf(`d${n}`, n, [entry('l', `k${(n * 7919) % 1000}`), entry(`of/${n % 3}`, `k${n}`)]),
      );
      const places = documents
        .flatMap(({ entries, body }) => entries.map((each) => ({ ...each, body: body ?? Buffer.alloc(0) })))
        .sort((a, b) => (a.list + a.sortKey < b.list + b.sortKey ? -1 : 1));
      const place = async (some: StoredDocument[], placed: PlacedEntry[]) => {
        const batch = batchOf(offset, offset + 1, some);
        const checkpoint = { ...batch.checkpoint, building: { plan: 'é', written: `${offset}\0é`, done: 5 } };
        expect(await writer.commit({ ...batch, checkpoint, placed })).to.equal('committed');
        expect(await writer.checkpoint(0)).to.deep.equal(checkpoint);
        offset++;
      };
      await place(documents.slice(0, 300), []);
      expect(await bodies('l')).to.deep.equal([]);
      await place(documents.slice(300), places.slice(0, 100));
      await place([], places.slice(100));
      const model = new Map(documents.map((document) => [document.key, document]));
      for (const list of ['l', 'of/0', 'of/1', 'of/2'])
        await check(list, sorted(model, list), 3, 50, undefined);

      const changed = documents.slice(0, 50).map(({ key }, n) => documentOf(key, -n, [entry('l', `j${n}`)]));
      await commit([...changed, documentOf('d60', null)]);
      for (const document of changed) model.set(document.key, document);
      model.delete('d60');
      for (const list of ['l', 'of/0', 'of/1', 'of/2'])
        await check(list, sorted(model, list), 0, 500, undefined);
    });

    it('is what a sorted array is, whatever is committed', async function () {
      this.timeout(300_000);
      const keys = fc.integer({ min: 0, max: 149 });
      const place = fc.record({ list: fc.constantFrom(...LISTS), rank: fc.nat(60) });
      const change = fc.record({
        key: keys,
        body: fc.option(fc.nat(9), { freq: 4 }),
        places: fc.array(place, { maxLength: 3 }),
      });
      const batches = fc.array(fc.uniqueArray(change, { selector: ({ key }) => key, maxLength: 120 }), {
        maxLength: 6,
      });
      const model = new Map<string, StoredDocument>();
      const versions = new Map<string, Set<string>>(LISTS.map((list) => [list, new Set()]));
      await fc.assert(
        fc.asyncProperty(batches, fc.nat(), fc.nat(40), async (random, start, limit) => {
          for (const changes of random) {
            const documents = changes.map(({ key, body, places }) =>
              documentOf(`d${key}`, body, entriesOf(body, key, places)),
            );
            const before = new Map(LISTS.map((list) => [list, JSON.stringify(sorted(model, list))]));
            await commit(documents);
            for (const document of documents) model.set(document.key, document);
            for (const list of LISTS) {
              const expected = sorted(model, list);
              const changed = JSON.stringify(expected) !== before.get(list);
              await check(list, expected, start, limit, changed ? versions.get(list) : undefined);
            }
          }
        }),
        { numRuns: 30 },
      );
    });

    async function check(
      list: string,
      expected: [sortKey: string, body: unknown][],
      start: number,
      limit: number,
      versions: Set<string> | undefined,
    ): Promise<void> {
      await store.view(async (view) => {
        const from = start % (expected.length + 2);
        const page = await view.page(list, from, limit);
        expect(page.total).to.equal(expected.length);
        expect(parsed(page.items)).to.deep.equal(expected.slice(from, from + limit).map(([, body]) => body));
        const { runs, ...joined } = await view.joined(list, from, limit);
        expect(runs.join(',')).to.equal(page.items.join(','));
        expect(joined).to.deep.equal({ total: page.total, version: page.version });
        const [sortKey = 'm'] = expected[from] ?? [];
        expect(await view.rank(list, sortKey)).to.equal(expected.filter(([key]) => key < sortKey).length);
        expect(await view.rank(list, `${sortKey}~`)).to.equal(
          expected.filter(([key]) => key < `${sortKey}~`).length,
        );
        if (versions === undefined) return;
        expect(versions.has(page.version)).to.equal(false);
        versions.add(page.version);
      });
    }
  });
}

/** Unique within a list, since the document's key is part of the sort key; of equal places the first stands. */
function entriesOf(body: unknown, key: number, places: { list: string; rank: number }[]): ListEntry[] {
  if (body === null) return [];
  const entries = places.map(({ list, rank }) => entry(list, `${String(rank).padStart(3, '0')}/${key}`));
  return entries.filter(
    (each, i) => entries.findIndex((one) => one.list === each.list && one.sortKey === each.sortKey) === i,
  );
}

function sorted(model: Map<string, StoredDocument>, list: string): [sortKey: string, body: unknown][] {
  return [...model.values()]
    .flatMap(({ entries, body }) =>
      entries
        .filter((each) => each.list === list)
        .map(({ sortKey }): [string, unknown] => [sortKey, JSON.parse(body?.toString() ?? 'null')]),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
