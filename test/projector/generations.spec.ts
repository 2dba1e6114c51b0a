import { expect } from 'chai';
import { ownGenerations, projectionsVersion, sameFolds } from '../../projector/generations.ts';
import { type Projector, startProjector } from '../../projector/run.ts';
import { contributions } from '../bench/contributions.ts';
import { until } from '../conformance/subject.ts';
import { Rebuilding, silent } from './rebuilding.ts';

const RECORDS = [...contributions(1200)];

describe('a projector and the generations of its version', () => {
  let on: Rebuilding;
  let projector: Projector | undefined;

  beforeEach(async () => {
    on = await Rebuilding.open(1, RECORDS.slice(0, 600));
  });

  afterEach(async () => {
    await projector?.stop();
    projector = undefined;
    await on.close();
  });

  const start = async (quick = true) => {
    const { log, store } = on.stores;
    projector = await startProjector({ log, store, logger: silent, ...(quick && { config: on.config }) });
    return projector.generation;
  };
  const offsetOf = async (id: string) => (await (await on.stores.store.openWriter(id)).checkpoint(0)).offset;
  const appendRest = () => on.append(RECORDS.slice(600));

  it('folds one that another process has built, and both from then on', async () => {
    const { store } = on.stores;
    const first = await start();
    expect(first.live).to.equal(true);
    const { generation } = await on.rebuild();
    await appendRest();
    await until(async () => (await offsetOf(generation.id)) === RECORDS.length);
    await until(async () => (await offsetOf(first.id)) === RECORDS.length);
    expect(await on.digest(generation.id)).to.equal(await on.digest(first.id));
    expect((await store.generations()).map(({ live }) => live)).to.deep.equal([true, false]);
  });

  it('ends with one that is dropped, and goes on with the other', async () => {
    const { store } = on.stores;
    const first = await start();
    const { generation } = await on.rebuild();
    await until(async () => (await offsetOf(first.id)) === 600);
    await store.promote(generation.id);
    await store.drop(first.id);
    await appendRest();
    await until(async () => (await offsetOf(generation.id)) === RECORDS.length);
    expect(await ownGenerations(store)).to.have.length(1);
  });

  it('leaves one alone that is being built', async () => {
    const { store } = on.stores;
    const building = await store.create(projectionsVersion(), 1, true);
    const live = await store.create(projectionsVersion(), 1);
    expect((await start()).id).to.equal(live.id);
    await until(async () => (await offsetOf(live.id)) === 600);
    expect(await offsetOf(building.id)).to.equal(0);
  });

  it('takes over one that nobody goes on building', async () => {
    const { log, store } = on.stores;
    const elder = await store.create('elder', 1);
    const stopping = new AbortController();
    const onProgress = () => stopping.abort();
    const { generation } = await on.rebuild({ signal: stopping.signal, onProgress });
    const { config } = on;
    projector = await startProjector({ log, store, config, logger: silent, abandonedMs: 0 });
    expect(projector.generation.id).to.equal(generation.id);
    await until(async () => (await offsetOf(generation.id)) === 600);
    await until(async () => (await ownGenerations(store)).every(({ building }) => !building));
    const anew = await store.create('anew', 1);
    expect(await on.digest(generation.id)).to.equal(await on.project(anew.id));
    expect(await offsetOf(elder.id)).to.equal(0);
  });

  it('leaves one alone that another process goes on building', async () => {
    const { log, store } = on.stores;
    await store.create('elder', 1);
    const { id } = await store.create(projectionsVersion(), 1, true);
    projector = await startProjector({ log, store, config: on.config, logger: silent });
    const { complete, generation } = await on.rebuild({ batchBytes: 1 });
    expect(complete).to.equal(true);
    expect(generation.id).to.equal(id);
  });

  for (const quick of [true, false])
    it(`makes its own beside those of other versions, ${quick ? 'as a rebuild does' : 'record by record'}`, async () => {
      const { store } = on.stores;
      const elder = await store.create('elder', 1);
      const { id } = await start(quick);
      await until(async () => (await ownGenerations(store)).some(({ building }) => !building));
      await appendRest();
      await until(async () => (await offsetOf(id)) === RECORDS.length);
      expect(await offsetOf(elder.id)).to.equal(0);
      await store.view(async (view) => expect(view.generation.id).to.equal(elder.id));
      const anew = await store.create('anew', 1);
      expect(await on.digest(id)).to.equal(await on.project(anew.id));
    });

  it('is not shaken by another process that folds the same one', async () => {
    const { log, store } = on.stores;
    const { id } = await start();
    const other = await startProjector({ log, store, logger: silent, maxRecords: 7 });
    await appendRest();
    await until(async () => (await offsetOf(id)) === RECORDS.length);
    await other.stop();
    const anew = await store.create('anew', 1);
    expect(await on.digest(id)).to.equal(await on.project(anew.id));
  });

  it('tells versions that differ in their registered contracts alone from those whose folds differ', () => {
    const [folds = '', contracts = ''] = projectionsVersion().split('.');
    expect(sameFolds(projectionsVersion(), `${folds}.0000000000000000`)).to.equal(true);
    expect(sameFolds(projectionsVersion(), `0000000000000000.${contracts}`)).to.equal(false);
  });
});
