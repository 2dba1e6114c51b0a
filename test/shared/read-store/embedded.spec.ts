import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FatalError, InvalidInputError } from '../../../shared/errors.ts';
import type { GenerationWriter, ReadStore, StoredDocument } from '../../../shared/read-store/read-store.ts';
import { batchOf, documentOf, entry, parsed } from '../../conformance/documents.ts';
import { readStoreConformance } from '../../conformance/read-store.ts';
import { rejection } from '../../conformance/subject.ts';
import { open } from './open-embedded.ts';

readStoreConformance('embedded', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'read-store-'));
  return {
    open: () => open(dir),
    opener: { module: new URL('open-embedded.ts', import.meta.url).href, at: dir },
    destroy: () => rm(dir, { recursive: true }),
  };
});

describe('The embedded read store alone', () => {
  let dir: string;
  let store: ReadStore;
  let id: string;
  let writer: GenerationWriter;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'read-store-'));
    store = await open(dir);
    id = (await store.create('1', 1)).id;
    writer = await store.openWriter(id);
  });

  afterEach(async () => {
    await store.close();
    await rm(dir, { recursive: true });
  });

  /** Nothing of `documents` is there, nor of the batch besides. */
  async function expectRefused(
    code: string,
    kind: typeof FatalError,
    documents: StoredDocument[],
  ): Promise<void> {
    const all = Array.from({ length: 100 }, (_, n) => documentOf(`x${n}`, n, [entry('l', `x${n}`)]));
    const error = await rejection(writer.commit(batchOf(1, 2, [...all, ...documents])));
    expect(error).to.be.instanceOf(kind).with.property('code', code);
    expect((await writer.checkpoint(0)).offset).to.equal(1);
    expect(await writer.load(all)).to.deep.equal(all.map(() => undefined));
    expect(parsed((await store.view((view) => view.page('l', 0, 1000)))?.items ?? [])).to.deep.equal(['a']);
  }

  it('rolls a batch back as a whole where two documents claim one place', async () => {
    await writer.commit(batchOf(0, 1, [documentOf('a', 'a', [entry('l', 'k')])]));
    const [b, c] = ['b', 'c'].map((key) => (sortKey: string) => documentOf(key, key, [entry('l', sortKey)]));
    if (b === undefined || c === undefined) return;
    await expectRefused('SORT_KEY_TAKEN', FatalError, [b('k')]);
    await expectRefused('SORT_KEY_TAKEN', FatalError, [b('m'), c('m')]);
    await expectRefused('SORT_KEY_TAKEN', FatalError, [b('k'), documentOf('a', 'new', [entry('l', 'k')])]);
  });

  it('refuses what LMDB cannot hold, and what makes no sense, before it writes anything', async () => {
    await writer.commit(batchOf(0, 1, [documentOf('a', 'a', [entry('l', 'k')])]));
    const long = 'k'.repeat(2000);
    await expectRefused('KEY_SIZE', InvalidInputError, [documentOf(long, 1)]);
    await expectRefused('KEY_SIZE', InvalidInputError, [documentOf('b', 1, [entry(long, 'k')])]);
    await expectRefused('KEY_SIZE', InvalidInputError, [documentOf('b', 1, [entry('l', long)])]);
    await expectRefused('BATCH_REFUSED', InvalidInputError, [documentOf('b', 1), documentOf('b', 2)]);
    await expectRefused('BATCH_REFUSED', InvalidInputError, [documentOf('b', null, [entry('l', 'b')])]);
  });

  it('holds keys as long as LMDB allows', async () => {
    const key = 'k'.repeat(1900);
    await writer.commit(
      batchOf(
        0,
        1,
        Array.from({ length: 80 }, (_, n) => documentOf(`${key}${n}`, n, [entry(key, `${key}${n}`)])),
      ),
    );
    expect(await store.view(async (view) => (await view.page(key, 79, 1)).items.length)).to.equal(1);
    expect(await store.view(async (view) => view.rank(key, `${key}50`))).to.equal(46);
  });

  it('holds bodies of many megabytes', async () => {
    const large = 'x'.repeat(20 * 1024 * 1024);
    await writer.commit(
      batchOf(
        0,
        1,
        ['a', 'b'].map((key) => documentOf(key, key + large, [entry('l', key)])),
      ),
    );
    const seen = await store.view(
      async (view) => [await view.get('holder', 'b'), (await view.page('l', 1, 1)).items[0]] as const,
    );
    for (const body of [seen?.[0]?.body, seen?.[1]])
      expect(body?.equals(Buffer.from(`"b${large}"`))).to.equal(true);
  });

  it('hands out bodies that later reads leave alone', async () => {
    await writer.commit(
      batchOf(
        0,
        1,
        ['a', 'b'].map((key) => documentOf(key, key.repeat(100), [entry('l', key)])),
      ),
    );
    const kept = await store.view(async (view) => [
      (await view.get('holder', 'a'))?.body,
      ...(await view.page('l', 0, 1)).items,
    ]);
    for (let n = 0; n < 100; n++) await store.view((view) => view.get('holder', 'b'));
    for (const body of kept ?? []) expect(body?.toString()).to.equal(`"${'a'.repeat(100)}"`);
  });

  it('refuses a view that is used after its read', async () => {
    const view = await store.view(async (each) => each);
    expect(await rejection(view?.list('l') ?? Promise.resolve())).to.be.instanceOf(Error);
  });

  it('removes the folder of a dropped generation, and of one whose drop was cut short', async () => {
    await writer.commit(batchOf(0, 1, []));
    const other = await store.create('2', 1);
    await (await store.openWriter(other.id)).commit(batchOf(0, 1, []));
    expect(existsSync(join(dir, 'read', other.id))).to.equal(true);
    await store.drop(other.id);
    expect(existsSync(join(dir, 'read', other.id))).to.equal(false);
    await mkdir(join(dir, 'read', 'g9-0123abcd'));
    await (await open(dir)).close();
    expect((await readdir(join(dir, 'read'))).sort()).to.deep.equal(['catalogue', id]);
  });
});
