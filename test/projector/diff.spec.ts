import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Diff, diffGenerations } from '../../projector/diff.ts';
import { diffText } from '../../projector/diff-text.ts';
import { openEmbeddedReadStore } from '../../shared/read-store/embedded.ts';
import type {
  Checkpoint,
  Generation,
  GenerationWriter,
  ReadStore,
  StoredDocument,
} from '../../shared/read-store/read-store.ts';

const DAO = `0:${'ab'.repeat(32)}`;

describe('the diff of two generations', () => {
  let folder: string;
  let store: ReadStore;
  let old: Generation;
  let young: Generation;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'diff-'));
    store = await openEmbeddedReadStore(folder);
    old = await store.create('old', 1);
    young = await store.create('new', 1);
  });

  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  async function hold({ id }: Generation, documents: StoredDocument[]): Promise<void> {
    await commit(await store.openWriter(id), documents);
  }

  const diff = () => diffGenerations(store, old, young, { pauseMs: 1 });

  it('is nothing where both show the same, whatever they know beside it', async () => {
    await hold(old, [document('dao', DAO, { name: 'A' }), document('dao_state', DAO, { state: 'live' })]);
    await hold(young, [
      document('dao', DAO, { name: 'A' }),
      { ...document('account', DAO, 1), body: null, entries: [] },
    ]);
    const found = await diff();
    expect(found).to.deep.include({ same: true, models: [] });
    expect(diffText(found)).to.match(/Every document is the same/);
  });

  it('counts per read model and shows fields', async () => {
    await hold(old, [
      document('dao', DAO, { name: 'A', plugins: [{ index: 1 }], gone: null }),
      document('holders', 'a', { balance: '1' }),
      document('votes', 'x', { amount: '1' }, 'b'),
      document('votes', 'y', { amount: '1' }),
    ]);
    await hold(young, [
      document('dao', DAO, { name: 'B', plugins: [{ index: 2 }, { index: 3 }] }),
      document('holders', 'b', { balance: '1' }),
      document('votes', 'x', { amount: '1' }, 'c'),
      { ...document('votes', 'y', null), body: null, entries: [] },
    ]);
    const { same, models } = await diff();
    expect(same).to.equal(false);
    expect(models.map(({ examples, ...counts }) => ({ ...counts, examples: examples.length }))).to.deep.equal(
      [
        { model: 'dao', added: 0, removed: 0, changed: 1, examples: 1 },
        { model: 'holders', added: 1, removed: 1, changed: 0, examples: 2 },
        { model: 'votes', added: 0, removed: 1, changed: 1, examples: 2 },
      ],
    );
    expect(models[0]?.examples[0]).to.deep.equal({
      change: 'changed',
      key: DAO,
      fields: [
        { path: 'name', old: 'A', new: 'B' },
        { path: 'plugins[0].index', old: 1, new: 2 },
        { path: 'plugins[1]', new: { index: 3 } },
        { path: 'gone', old: null },
      ],
    });
    expect(models[2]?.examples[0]?.fields).to.deep.equal([{ path: 'list votes', old: 'b', new: 'c' }]);
    const text = diffText(await diff());
    expect(text)
      .to.match(/name: "A" -> "B"/)
      .and.match(/gone: null \(gone\)/);
  });

  it('shows no more examples of a change than it is asked for, and counts all', async () => {
    const many = Array.from({ length: 1500 }, (_, n) => document('holders', `${n}`, { n }));
    await hold(young, many);
    const { models } = await diffGenerations(store, old, young, { examples: 2, pauseMs: 1 });
    expect(models[0]).to.include({ added: 1500 });
    expect(models[0]?.examples).to.have.length(2);
  });

  it('equals what a comparison of all documents at once finds', async () => {
    const shown = fc.dictionary(fc.string({ minLength: 1, maxLength: 2 }), fc.option(fc.nat(2)), {
      maxKeys: 40,
    });
    await fc.assert(
      fc.asyncProperty(shown, shown, async (before, after) => {
        old = await store.create('old', 1);
        young = await store.create('new', 1);
        const held = (bodies: Record<string, number | null>) =>
          Object.entries(bodies).map(([key, n]) =>
            n === null
              ? { ...document('dao', `k${key}`, null), body: null, entries: [] }
              : document('dao', `k${key}`, { n }, `k${key}`),
          );
        await hold(old, held(before));
        await hold(young, held(after));
        const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
        const here = (bodies: Record<string, number | null>, key: string) => bodies[key] ?? null;
        const [model = { added: 0, removed: 0, changed: 0 }] = (await diff()).models;
        expect(model).to.include({
          added: keys.filter((key) => here(before, key) === null && here(after, key) !== null).length,
          removed: keys.filter((key) => here(before, key) !== null && here(after, key) === null).length,
          changed: keys.filter(
            (key) =>
              here(before, key) !== null &&
              here(after, key) !== null &&
              here(before, key) !== here(after, key),
          ).length,
        });
      }),
      { numRuns: 30 },
    );
  });

  it('does not take the delay of one that is folded into for a difference', async () => {
    const n = 50;
    await hold(
      old,
      Array.from({ length: n }, (_, k) => document('dao', `${k}`, { n: 0 }, `${k}`)),
    );
    await hold(young, [
      ...Array.from({ length: n }, (_, k) => document('dao', `${k}`, { n: 0 }, `${k}`)),
      REAL,
    ]);
    const [ahead, behind] = await Promise.all([store.openWriter(old.id), store.openWriter(young.id)]);
    const folding = new AbortController();
    const projectors = (async () => {
      for (let step = 1; !folding.signal.aborted; step++) {
        const moved = [document('dao', `${step % n}`, { n: step }, `${step % n}`)];
        await commit(ahead, moved);
        await pause();
        await commit(behind, moved);
      }
    })();
    const found: Diff = await diff();
    folding.abort();
    await projectors;
    expect(found.models).to.deep.equal([
      {
        model: 'votes',
        added: 1,
        removed: 0,
        changed: 0,
        examples: [{ change: 'added', key: 'real', fields: [{ path: 'amount', new: '1' }] }],
      },
    ]);
  });

  it('says which of the two is behind', async () => {
    await hold(old, [document('dao', DAO, { name: 'A' })]);
    const found = await diff();
    expect(found.old.behind).to.equal(0);
    expect(found.new.behind).to.equal(1);
    expect(diffText(found)).to.match(new RegExp(`${young.id} is 1 records behind`));
  });
});

const REAL = document('votes', 'real', { amount: '1' });

function document(model: string, key: string, body: unknown, sortKey = key): StoredDocument {
  return {
    model,
    key,
    dao: DAO,
    body: Buffer.from(JSON.stringify(body)),
    state: null,
    entries: [{ list: model, sortKey }],
    offset: 0,
  };
}

async function commit(writer: GenerationWriter, documents: StoredDocument[]): Promise<void> {
  const checkpoint: Checkpoint = await writer.checkpoint(0);
  const base = { offset: checkpoint.offset, edits: checkpoint.edits };
  const next = { ...checkpoint, offset: checkpoint.offset + 1 };
  expect(await writer.commit({ partition: 0, base, checkpoint: next, documents })).to.equal('committed');
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
