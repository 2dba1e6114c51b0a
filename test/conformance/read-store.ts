import { expect } from 'chai';
import { FatalError, InvalidInputError } from '../../shared/errors.ts';
import type {
  Generation,
  GenerationWriter,
  ReadStore,
  ReadView,
} from '../../shared/read-store/read-store.ts';
import { batchOf, checkpointAt, documentOf, entry, parsed } from './documents.ts';
import { listConformance } from './read-store-lists.ts';
import { rejection, type Subject, startChild } from './subject.ts';

/** What every adapter of the ReadStore promises. `create` makes an empty store. */
export function readStoreConformance(name: string, create: () => Promise<Subject<ReadStore>>): void {
  describe(`ReadStore: ${name}`, () => {
    let subject: Subject<ReadStore>;
    let opened: ReadStore[];
    let store: ReadStore;

    async function open(): Promise<ReadStore> {
      const another = await subject.open();
      opened.push(another);
      return another;
    }

    beforeEach(async () => {
      opened = [];
      subject = await create();
      store = await open();
    });

    afterEach(async () => {
      await Promise.all(opened.map((each) => each.close()));
      await subject.destroy();
    });

    /** The first generation, which is live, and a writer of it. */
    async function begin(): Promise<{ generation: Generation; writer: GenerationWriter }> {
      const generation = await store.create('1', 2);
      return { generation, writer: await store.openWriter(generation.id) };
    }

    describe('generations', () => {
      it('are none at first, and a view has nothing to read', async () => {
        expect(await store.generations()).to.deep.equal([]);
        expect(await store.view(async () => 'read')).to.equal(undefined);
      });

      it('tell their projections and partitions, the first alone being live', async () => {
        const first = await store.create('1', 4);
        const second = await store.create('2', 8);
        expect(first).to.include({ projections: '1', partitions: 4, live: true });
        expect(second).to.include({ projections: '2', partitions: 8, live: false });
        expect(first.id).not.to.equal(second.id);
        expect(Math.abs(first.createdAt - Date.now() / 1000)).to.be.lessThan(3600);
        expect(await store.generations()).to.have.deep.members([first, second]);
        expect(await (await open()).generations()).to.have.deep.members([first, second]);
        expect(await store.view(async ({ generation }) => generation)).to.deep.equal(first);
        expect(await store.view(async ({ generation }) => generation, second.id)).to.deep.equal(second);
      });

      it('are promoted for the next view of every handle, and back', async () => {
        const { generation: first, writer } = await begin();
        await writer.commit(batchOf(0, 1, [documentOf('a', 'first', [entry('l', 'a')])]));
        const second = await store.create('2', 2);
        await (await store.openWriter(second.id)).commit(
          batchOf(0, 1, [documentOf('a', 'second', [entry('l', 'a')])]),
        );
        const other = await open();
        const seen = (each: ReadStore) =>
          each.view(async (view) => [view.generation.id, await bodyOf(view, 'a')]);
        for (const [id, body] of [
          [second.id, 'second'],
          [first.id, 'first'],
          [second.id, 'second'],
        ] as const) {
          await store.promote(id);
          expect(await seen(other)).to.deep.equal([id, body]);
          expect(await seen(store)).to.deep.equal([id, body]);
          expect((await other.generations()).filter(({ live }) => live).map((each) => each.id)).to.deep.equal(
            [id],
          );
        }
      });

      it('number their promotions, so that it is known which was live before', async () => {
        const ids: string[] = [];
        for (const version of ['1', '2', '3']) ids.push((await store.create(version, 2)).id);
        const promotions = async () =>
          new Map((await store.generations()).map(({ id, promotion }) => [id, promotion]));
        expect([...(await promotions()).values()]).to.have.members([1, 0, 0]);
        for (const id of [ids[2], ids[0], ids[0]] as string[]) await store.promote(id);
        expect(await promotions()).to.deep.equal(
          new Map([
            [ids[0], 3],
            [ids[1], 0],
            [ids[2], 2],
          ]),
        );
      });

      it('are not promoted while they are built', async () => {
        const built = await store.create('1', 2, true);
        expect(built).to.include({ live: false, building: true, promotion: 0 });
        expect(await store.view(async () => 'read')).to.equal(undefined);
        const refused = await rejection(store.promote(built.id));
        expect(refused).to.be.instanceOf(FatalError).with.property('code', 'GENERATION_BUILDING');
        const writer = await store.openWriter(built.id);
        expect(await writer.commit(batchOf(0, 1, [documentOf('a', 1)]))).to.equal('committed');
        expect(await store.view((view) => bodyOf(view, 'a'), built.id)).to.equal(1);
        await store.complete(built.id);
        await store.complete(built.id);
        expect(await store.generations()).to.deep.equal([{ ...built, building: false }]);
        await store.promote(built.id);
        expect(await store.view((view) => bodyOf(view, 'a'))).to.equal(1);
        const error = await rejection(store.complete('none'));
        expect(error).to.be.instanceOf(InvalidInputError).with.property('code', 'GENERATION_UNKNOWN');
      });

      it('go on with the generation that a view began with, whatever is promoted meanwhile', async () => {
        const { generation: first, writer } = await begin();
        await writer.commit(batchOf(0, 1, [documentOf('a', 'first')]));
        const second = await store.create('2', 2);
        const seen = await store.view(async (view) => {
          await store.promote(second.id);
          return [view.generation.id, await bodyOf(view, 'a')];
        });
        expect(seen).to.deep.equal([first.id, 'first']);
      });

      it('are dropped for good, all but the live one', async () => {
        const { generation: first, writer } = await begin();
        const second = await store.create('2', 2);
        const doomed = await store.openWriter(second.id);
        await doomed.commit(batchOf(0, 1, [documentOf('a', 1)]));
        const other = await open();
        expect(await other.view((view) => bodyOf(view, 'a'), second.id)).to.equal(1);
        const refused = await rejection(store.drop(first.id));
        expect(refused).to.be.instanceOf(FatalError).with.property('code', 'GENERATION_LIVE');
        await store.drop(second.id);
        expect((await other.generations()).map(({ id }) => id)).to.deep.equal([first.id]);
        for (const action of [
          () => other.view((view) => bodyOf(view, 'a'), second.id),
          () => store.promote(second.id),
          () => store.drop(second.id),
          () => store.openWriter(second.id),
        ]) {
          const error = await rejection(action());
          expect(error).to.be.instanceOf(InvalidInputError).with.property('code', 'GENERATION_UNKNOWN');
        }
        const late = await rejection(doomed.commit(batchOf(1, 2, [])));
        expect(late).to.be.instanceOf(FatalError).with.property('code', 'GENERATION_DROPPED');
        expect(await writer.commit(batchOf(0, 1, []))).to.equal('committed');
        const third = await store.create('3', 2);
        expect([first.id, second.id]).not.to.include(third.id);
        expect(await store.view((view) => bodyOf(view, 'a'), third.id)).to.equal(undefined);
      });
    });

    describe('commit', () => {
      it('begins at offset 0 with a digest of zeros, for each partition', async () => {
        const { writer } = await begin();
        const nothing = { offset: 0, asOf: null, digest: '0'.repeat(64), edits: 0, tally: {} };
        expect(await writer.checkpoint(0)).to.deep.equal(nothing);
        await writer.commit(batchOf(0, 3, []));
        expect(await writer.checkpoint(0)).to.deep.equal(checkpointAt(3));
        expect(await writer.checkpoint(1)).to.deep.equal(nothing);
        await writer.commit({
          partition: 1,
          base: { offset: 0, edits: 0 },
          checkpoint: { ...checkpointAt(9), asOf: null },
          documents: [],
        });
        expect(await store.view(async (view) => [await view.asOf(0), await view.asOf(1)])).to.deep.equal([
          checkpointAt(3).asOf,
          null,
        ]);
      });

      it('compares the edits too, so that a batch loaded before one does not write over it', async () => {
        const { writer } = await begin();
        await writer.commit(batchOf(0, 5, [documentOf('a', 'before', [entry('l', 'a')], 4)]));
        const edit = {
          ...batchOf(5, 5, [documentOf('a', 'edited', [entry('l', 'a')], 4)]),
          checkpoint: { ...checkpointAt(5), edits: 1 },
        };
        expect(await writer.commit(edit)).to.equal('committed');
        expect(await writer.commit(edit)).to.equal('conflict');
        expect(await writer.commit(batchOf(5, 6, [documentOf('a', 'late')]))).to.equal('conflict');
        expect(await writer.checkpoint(0)).to.deep.equal(edit.checkpoint);
        const seen = await store.view(async (view) => [
          await bodyOf(view, 'a'),
          parsed((await view.page('l', 0, 10)).items),
        ]);
        expect(seen).to.deep.equal(['edited', ['edited']]);
      });

      it('is kept when the store is opened again', async () => {
        const { generation, writer } = await begin();
        const document = documentOf('a', { n: 1 }, [entry('l', 'k'), entry('m', 'k')], 4);
        await writer.commit(batchOf(0, 5, [document, documentOf('gone', null, [], 3)]));
        const again = await open();
        const reader = await again.openWriter(generation.id);
        expect(await reader.checkpoint(0)).to.deep.equal(checkpointAt(5));
        expect(await reader.load([document])).to.deep.equal([document]);
        expect(await again.view((view) => bodyOf(view, 'a'))).to.deep.equal({ n: 1 });
      });

      it('loads documents in the order of the keys, without those never written', async () => {
        const { writer } = await begin();
        const [a, b] = [
          documentOf('a', 1, [entry('l', 'a')], 7),
          { ...documentOf('b', null, [], 8), state: null },
        ];
        const other = { ...documentOf('a', 'other model'), model: 'vote' };
        await writer.commit(batchOf(0, 1, [a, b, other]));
        const unknown = { model: 'holder', key: 'c' };
        expect(await writer.load([b, unknown, other, a])).to.deep.equal([b, undefined, other, a]);
        expect(await writer.load([])).to.deep.equal([]);
      });

      it('tells every document by model and key, or those of one model', async () => {
        const { writer } = await begin();
        const of = (model: string, key: string) => ({ ...documentOf(key, key, [entry(model, key)]), model });
        const keys = Array.from({ length: 2300 }, (_, n) => String(n).padStart(4, '0'));
        const documents = [
          of('holder', 'a'),
          of('holder', 'é'),
          documentOf('ｚ', null),
          of('holder', '😀'),
          of('holders', '0'),
          ...keys.map((key) => of('vote', key)),
        ];
        for (let n = 0; n < documents.length; n += 500)
          await writer.commit(batchOf(n, n + 500, documents.toReversed().slice(n, n + 500)));
        expect(await all(writer.documents())).to.deep.equal(documents);
        expect(await all(writer.documents('holder'))).to.deep.equal(documents.slice(0, 4));
        expect(await all(writer.documents('vote'))).to.have.length(2300);
        expect(await all(writer.documents('vot'))).to.deep.equal([]);
      });

      it('changes nothing where the checkpoint is elsewhere', async () => {
        const { generation, writer } = await begin();
        await writer.commit(batchOf(0, 5, [documentOf('a', 1, [entry('l', 'a')])]));
        const zombie = await (await open()).openWriter(generation.id);
        const documents = [documentOf('a', 2, [entry('l', 'z')]), documentOf('b', 2, [entry('l', 'b')])];
        for (const from of [0, 4, 6])
          expect(await zombie.commit(batchOf(from, 9, documents))).to.equal('conflict');
        expect(await writer.checkpoint(0)).to.deep.equal(checkpointAt(5));
        const seen = await store.view(async (view) => [
          await bodyOf(view, 'a'),
          await bodyOf(view, 'b'),
          parsed((await view.page('l', 0, 10)).items),
        ]);
        expect(seen).to.deep.equal([1, undefined, [1]]);
      });

      it('lets one of two writers through that fold the same records at once', async () => {
        const { generation, writer } = await begin();
        const rival = await (await open()).openWriter(generation.id);
        for (let n = 0; n < 10; n++) {
          const outcomes = await Promise.all([
            writer.commit(batchOf(n, n + 1, [documentOf('a', `ours ${n}`)])),
            rival.commit(batchOf(n, n + 1, [documentOf('a', `theirs ${n}`)])),
          ]);
          expect(outcomes.toSorted()).to.deep.equal(['committed', 'conflict']);
          const body = outcomes[0] === 'committed' ? `ours ${n}` : `theirs ${n}`;
          expect(await store.view((view) => bodyOf(view, 'a'))).to.equal(body);
        }
      });

      it('keeps two partitions apart', async () => {
        const { writer } = await begin();
        await writer.commit(batchOf(0, 5, [documentOf('a', 1, [entry('l', 'a')])]));
        const other = {
          partition: 1,
          base: { offset: 0, edits: 0 },
          checkpoint: checkpointAt(2),
          documents: [documentOf('b', 2, [entry('m', 'b')])],
        };
        expect(await writer.commit(other)).to.equal('committed');
        expect(await writer.checkpoint(0)).to.deep.equal(checkpointAt(5));
        expect(await writer.checkpoint(1)).to.deep.equal(checkpointAt(2));
        for (const list of ['l', 'm'])
          expect((await store.view((view) => view.list(list)))?.total).to.equal(1);
      });

      it('holds whole batches alone after its process was killed in the middle of them', async () => {
        const generation = await store.create('1', 2);
        // Batch n of the child writes n into all of 40 documents and moves each to another place of the list.
        for (const commits of [1, 4, 17]) {
          const child = startChild('commit.ts', subject, generation.id);
          let durable = 0;
          for (let i = 0; i < commits; i++) durable = Number(await child.line());
          await child.kill();
          const again = await open();
          const { offset } = await (await again.openWriter(generation.id)).checkpoint(0);
          expect(offset).to.be.at.least(durable);
          await again.view(async (view) => {
            const { items, total } = await view.page('all', 0, 1000);
            expect(total).to.equal(40);
            expect(parsed(items)).to.deep.equal(Array.from({ length: 40 }, () => offset));
            for (let i = 0; i < 40; i++) expect(await bodyOf(view, `d${i}`)).to.equal(offset);
          });
        }
      });

      it('is seen by another process at its next view', async () => {
        const generation = await store.create('1', 2);
        const child = startChild('commit.ts', subject, generation.id);
        for (let i = 0; i < 10; i++) {
          const durable = Number(await child.line());
          expect(await store.view((view) => bodyOf(view, 'd0'))).to.be.at.least(durable);
        }
        await child.kill();
      });
    });

    describe('a document', () => {
      it('is there with its body alone', async () => {
        const { writer } = await begin();
        await writer.commit(batchOf(0, 1, [documentOf('a', { text: 'é 😀' }), documentOf('b', null)]));
        await store.view(async (view) => {
          expect(await bodyOf(view, 'a')).to.deep.equal({ text: 'é 😀' });
          expect(await view.get('holder', 'b')).to.equal(undefined);
          expect(await view.get('holder', 'never')).to.equal(undefined);
          expect(await view.get('vote', 'a')).to.equal(undefined);
        });
      });

      it('has a version that changes with its body and never comes again', async () => {
        const { generation, writer } = await begin();
        const versions: (string | undefined)[] = [];
        const note = async (id: string) =>
          versions.push(await store.view(async (view) => (await view.get('holder', 'a'))?.version, id));
        // The body of the first comes again, the document goes and returns.
        for (const [n, body] of [1, 2, 1, null, 1].entries()) {
          await writer.commit(batchOf(n, n + 1, [documentOf('a', body)]));
          if (body !== null) await note(generation.id);
        }
        const second = await store.create('2', 2);
        await (await store.openWriter(second.id)).commit(batchOf(0, 1, [documentOf('a', 1)]));
        await note(second.id);
        expect(versions).not.to.include(undefined);
        expect(new Set(versions)).to.have.property('size', versions.length);
      });

      it('keeps the version where it is written again as it was', async () => {
        const { writer } = await begin();
        await writer.commit(batchOf(0, 1, [documentOf('a', 1, [entry('l', 'a')])]));
        const before = await store.view(async (view) => [
          await view.get('holder', 'a'),
          await view.list('l'),
        ]);
        await writer.commit(batchOf(1, 2, [documentOf('a', 1, [entry('l', 'a')], 1)]));
        expect(
          await store.view(async (view) => [await view.get('holder', 'a'), await view.list('l')]),
        ).to.deep.equal(before);
      });
    });

    describe('a view', () => {
      it('sees one state, though a batch is committed in the middle of it', async () => {
        const { generation, writer } = await begin();
        const rival = await (await open()).openWriter(generation.id);
        await writer.commit(batchOf(0, 1, [documentOf('a', 1, [entry('l', 'a')])]));
        for (const [turn, each] of [writer, rival].entries()) {
          const from = turn + 1;
          let committed = false;
          const seen = await store.view(async (view) => {
            const first = [await bodyOf(view, 'a'), (await view.list('l')).total];
            // A view may be read again by its adapter; the batch is of the first time.
            if (!committed) {
              committed = true;
              const documents = [
                documentOf('a', from + 1, [entry('l', 'a')]),
                documentOf(`b${turn}`, 0, [entry('l', `b${turn}`)]),
              ];
              expect(await each.commit(batchOf(from, from + 1, documents))).to.equal('committed');
              await new Promise((resolve) => setTimeout(resolve, 20));
            }
            return [
              first,
              [await bodyOf(view, 'a'), (await view.page('l', 0, 9)).items.length],
              (await view.asOf(0))?.seqno,
            ];
          });
          const before = [from, turn + 1];
          const after = [from + 1, turn + 2];
          expect(seen).to.be.deep.oneOf([
            [before, before, from],
            [after, after, from + 1],
          ]);
          expect(await store.view((view) => bodyOf(view, 'a'))).to.equal(from + 1);
        }
      });

      it('passes on what its reader throws, and the store goes on', async () => {
        const { writer } = await begin();
        for (let i = 0; i < 300; i++) {
          const error = await rejection(
            store.view(async () => {
              throw new Error(`no ${i}`);
            }),
          );
          expect(error).to.have.property('message', `no ${i}`);
        }
        await writer.commit(batchOf(0, 1, [documentOf('a', 1)]));
        expect(await store.view((view) => bodyOf(view, 'a'))).to.equal(1);
      });

      it('is finished before its store closes', async () => {
        const { writer } = await begin();
        await writer.commit(batchOf(0, 1, [documentOf('a', 1)]));
        const closed = await subject.open();
        let release = (): void => undefined;
        const gate = new Promise<void>((resolve) => {
          release = resolve;
        });
        const reading = closed.view(async (view) => {
          await gate;
          return bodyOf(view, 'a');
        });
        const closing = closed.close();
        release();
        expect(await reading).to.equal(1);
        await closing;
      });

      it('is one of many at once', async () => {
        const { writer } = await begin();
        await writer.commit(batchOf(0, 1, [documentOf('a', 1)]));
        let release = (): void => undefined;
        const gate = new Promise<void>((resolve) => {
          release = resolve;
        });
        const slow = Array.from({ length: 50 }, () =>
          store.view(async (view) => {
            const before = await bodyOf(view, 'a');
            await gate;
            return [before, await bodyOf(view, 'a')];
          }),
        );
        release();
        for (const seen of await Promise.all(slow)) expect(seen).to.deep.equal([1, 1]);
      });
    });

    listConformance(() => store);
  });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function bodyOf(view: ReadView, key: string): Promise<unknown> {
  const document = await view.get('holder', key);
  return document && JSON.parse(document.body.toString());
}
