import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dropGeneration } from '../../projector/drop-generation.ts';
import { promoteGeneration, rollbackGeneration } from '../../projector/promotion.ts';
import { openEmbeddedEventLog } from '../../shared/event-log/embedded.ts';
import type { EventLog } from '../../shared/event-log/event-log.ts';
import { openEmbeddedReadStore } from '../../shared/read-store/embedded.ts';
import type { Generation, ReadStore } from '../../shared/read-store/read-store.ts';
import { received } from './story.ts';

describe('promoting a generation', () => {
  let folder: string;
  let log: EventLog;
  let store: ReadStore;
  let first: Generation;
  let second: Generation;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'promotion-'));
    log = await openEmbeddedEventLog(folder, 1);
    store = await openEmbeddedReadStore(folder);
    const writer = await log.openWriter();
    await writer.append({ records: Array.from({ length: 300 }, (_, n) => received('a', 1n, n)), state: [] });
    first = await store.create('old', 1);
    second = await store.create('new', 1);
  });

  afterEach(async () => {
    await store.close();
    await log.close();
    await rm(folder, { recursive: true });
  });

  async function foldUpTo({ id }: Generation, offset: number): Promise<void> {
    const writer = await store.openWriter(id);
    const checkpoint = await writer.checkpoint(0);
    await writer.commit({
      partition: 0,
      base: checkpoint,
      checkpoint: { ...checkpoint, offset },
      documents: [],
    });
  }

  const live = async () => (await store.generations()).find((each) => each.live)?.id;
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code,
    );

  it('makes it live and tells what was and how far it is', async () => {
    await foldUpTo(first, 290);
    await foldUpTo(second, 295);
    expect(await promoteGeneration({ log, store }, second.id)).to.deep.equal({
      id: second.id,
      before: first.id,
      lag: 5,
    });
    expect(await live()).to.equal(second.id);
    expect(await promoteGeneration({ log, store }, 'live')).to.include({ id: second.id, before: null });
  });

  it('is refused while it has folded less than the live one, unless forced', async () => {
    await foldUpTo(first, 300);
    await foldUpTo(second, 299);
    expect(await codeOf(promoteGeneration({ log, store }, second.id))).to.equal('GENERATION_BEHIND');
    expect(await live()).to.equal(first.id);
    await promoteGeneration({ log, store }, second.id, true);
    expect(await live()).to.equal(second.id);
  });

  it('is refused far from the end of the log, even where the live one is farther', async () => {
    await foldUpTo(first, 10);
    await foldUpTo(second, 150);
    expect(await codeOf(promoteGeneration({ log, store }, second.id))).to.equal('GENERATION_BEHIND');
  });

  it('is refused for one that is being built, of another log or not there, even if forced', async () => {
    const building = await store.create('newer', 1, true);
    const foreign = await store.create('newer', 2);
    expect(await codeOf(promoteGeneration({ log, store }, building.id, true))).to.equal(
      'GENERATION_BUILDING',
    );
    expect(await codeOf(promoteGeneration({ log, store }, foreign.id, true))).to.equal(
      'GENERATION_OF_ANOTHER_LOG',
    );
    expect(await codeOf(promoteGeneration({ log, store }, 'g9', true))).to.equal('GENERATION_UNKNOWN');
    expect(await live()).to.equal(first.id);
  });

  it('is rolled back to the one before, and a second rollback comes back', async () => {
    await foldUpTo(first, 200);
    await foldUpTo(second, 300);
    expect(await codeOf(rollbackGeneration({ log, store }))).to.equal('NOTHING_TO_ROLL_BACK_TO');
    await promoteGeneration({ log, store }, second.id);
    expect(await rollbackGeneration({ log, store })).to.deep.equal({
      id: first.id,
      before: second.id,
      lag: 100,
    });
    expect(await rollbackGeneration({ log, store })).to.deep.equal({
      id: second.id,
      before: first.id,
      lag: 0,
    });
    expect(await live()).to.equal(second.id);
  });

  it('leaves the one before to be dropped; the live one cannot be', async () => {
    await foldUpTo(second, 300);
    await promoteGeneration({ log, store }, second.id);
    expect(await codeOf(dropGeneration(store, second.id))).to.equal('GENERATION_LIVE');
    expect(await dropGeneration(store, first.id)).to.deep.equal({ id: first.id, documents: 0, bytes: 0 });
    expect(await codeOf(rollbackGeneration({ log, store }))).to.equal('NOTHING_TO_ROLL_BACK_TO');
  });
});
