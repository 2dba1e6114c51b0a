import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { projectionsVersion } from '../../projector/generations.ts';
import type { RebuildStep } from '../../projector/rebuild/building-progress.ts';
import { RebuildThreads } from '../../projector/rebuild/rebuild-threads.ts';
import { readStatus, type Status } from '../../projector/status.ts';
import { FatalError, InvalidInputError } from '../../shared/errors.ts';
import { partitionOf } from '../../shared/event-log/partition.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import type { GenerationWriter, ReadStore } from '../../shared/read-store/read-store.ts';
import { contributions } from '../bench/contributions.ts';
import { rejection } from '../conformance/subject.ts';
import { addressOf } from './chain-of-facts.ts';
import { ofDao, Rebuilding } from './rebuilding.ts';
import { histories, received } from './story.ts';

const DAOS = ['first', 'second', 'third'];
const LONG = [...contributions(3500)];
/** Of which several shards and commits are made then. */
const SMALL = { shardRecords: 500, batchBytes: 1 };

describe('a rebuild', function () {
  this.timeout(5 * 60_000);
  let threads: RebuildThreads;

  before(() => {
    threads = new RebuildThreads();
  });

  after(() => threads.close());

  it('gives what projecting gives, whatever the partitions and shards', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(histories, { maxLength: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 40 }),
        async (told, partitions, shardRecords) => {
          const records = told.flatMap((chains, n) => ofDao(chains.flat(), DAOS[n] ?? ''));
          const { generation, same } = await rebuilt(partitions, records, { threads, shardRecords });
          expect(same).to.equal(true);
          expect(generation.building).to.equal(true);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('gives what projecting gives, whatever the size of its shards and batches', async () => {
    const records = DAOS.flatMap((dao) => ofDao(LONG, dao));
    for (const sizes of [{ ...SMALL, signOfLifeMs: 0 }, { shardRecords: 1000 }, { batchBytes: 500_000 }, {}])
      expect(await rebuilt(2, records, { threads, ...sizes })).to.include({
        same: true,
        records: records.length,
      });
  });

  it('parks what projecting parks, and tallies alike', async () => {
    const isAccepted = (record: LogRecord) => record.type === 'transaction' && record.kind === 'helper';
    const spoilt = LONG.findIndex((record, index) => index > 1700 && isAccepted(record));
    const records = LONG.map((record, index) =>
      index === spoilt && record.type === 'transaction'
        ? { ...record, in: record.in && { ...record.in, body: '' } }
        : record,
    );
    const on = await Rebuilding.open(1, records);
    try {
      const { store } = on.stores;
      const projected = await store.create(projectionsVersion(), 1);
      await on.project(projected.id);
      const { generation } = await on.rebuild({ ...SMALL, threads });
      const [a, b] = [await contentOf(store, projected.id), await contentOf(store, generation.id)];
      expect(b.documents.filter(([model]) => model === 'dead_letters')).to.have.length.greaterThan(0);
      expect(b).to.deep.equal(a);
    } finally {
      await on.close();
    }
  });

  it('leaves the live generation to its readers, and can be promoted once it is complete', async () => {
    const on = await Rebuilding.open(1, LONG);
    try {
      const { store } = on.stores;
      const live = await store.create('elder', 1);
      let looked = 0;
      const { generation, complete } = await on.rebuild({
        ...SMALL,
        threads,
        onProgress: ({ done, total }) => {
          if (done === total) return;
          looked++;
          void store.view(async (view) => expect(view.generation.id).to.equal(live.id));
        },
      });
      expect(looked).to.be.greaterThan(1);
      expect(complete).to.equal(true);
      await store.promote(generation.id);
      await store.view(async (view) => expect(view.generation.id).to.equal(generation.id));
    } finally {
      await on.close();
    }
  });

  for (const step of ['dealing out', 'folding', 'writing'] as const)
    it(`that was stopped while ${step} goes on with what was done`, async () => {
      const { on, first } = await stoppedWhile(step);
      try {
        const second = await on.rebuild({ ...SMALL, batchBytes: 30_000, threads });
        expect(second).to.deep.include({ complete: true, records: LONG.length - first.records });
        expect(second.generation.id).to.equal(first.generation.id);
        expect(await on.digest(second.generation.id)).to.equal(await projectedDigest(on));
        if (step === 'folding') expect(first.records).to.be.within(1, LONG.length - 1);
      } finally {
        await on.close();
      }
    });

  it('that is stopped over and over while writing has every document and every entry once', async () => {
    const on = await Rebuilding.open(1, [...contributions(10_000)]);
    try {
      const { store } = on.stores;
      const projected = await store.create(projectionsVersion(), 1);
      await on.project(projected.id);
      for (let attempt = 1; ; attempt++) {
        const stopping = new AbortController();
        let batches = 0;
        const { complete, generation } = await on.rebuild({
          shardRecords: 500,
          batchBytes: 100_000 * (1 + (attempt % 3)),
          threads,
          signal: stopping.signal,
          onProgress: ({ step }) => {
            if (step === 'writing' && batches++ === 2) stopping.abort();
          },
        });
        if (!complete) continue;
        expect(attempt).to.be.greaterThan(3);
        const [a, b] = [await contentOf(store, projected.id), await contentOf(store, generation.id)];
        expect(b).to.deep.equal(a);
        break;
      }
    } finally {
      await on.close();
    }
  });

  it('that lost its work folder after it had begun to write begins anew', async () => {
    const { on, first, folder } = await stoppedWhile('writing');
    try {
      const { id } = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'));
      await rm(join(folder, id), { recursive: true });
      const second = await on.rebuild({ ...SMALL, threads });
      expect(second.generation.id).not.to.equal(first.generation.id);
      expect(await on.digest(second.generation.id)).to.equal(await projectedDigest(on));
      expect(await readdir(dirname(folder))).to.deep.equal([]);
    } finally {
      await on.close();
    }
  });

  it('that was stopped before the machine was started anew folds all of it again', async () => {
    const { on, first, folder } = await stoppedWhile('folding');
    try {
      const plan = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'));
      await writeFile(join(folder, 'plan.json'), JSON.stringify({ ...plan, madeAt: 1 }));
      const second = await on.rebuild({ ...SMALL, threads });
      expect(second).to.deep.include({ complete: true, records: LONG.length });
      expect(first.records).to.be.greaterThan(0);
      expect(await on.digest(second.generation.id)).to.equal(await projectedDigest(on));
    } finally {
      await on.close();
    }
  });

  it('whose files tell of other records than the log ends with an error, and nothing is complete', async () => {
    const { on, first, folder } = await stoppedWhile('writing');
    try {
      const { id } = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'));
      const file = join(folder, id, 'shard-0-3.json');
      const shard = JSON.parse(await readFile(file, 'utf8'));
      await writeFile(file, JSON.stringify({ ...shard, records: shard.records - 1 }));
      expect(await rejection(on.rebuild({ ...SMALL, threads })))
        .to.be.instanceOf(FatalError)
        .with.property('code', 'REBUILD_INCOMPLETE');
      const generations = await on.stores.store.generations();
      const generation = generations.find((each) => each.id === first.generation.id);
      expect(generation).to.include({ building: true });
    } finally {
      await on.close();
    }
  });

  it('does not go on from what was written by another plan', async () => {
    const { on, first, folder } = await stoppedWhile('writing');
    try {
      const plan = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'));
      await rename(join(folder, plan.id), join(folder, 'another'));
      await writeFile(join(folder, 'plan.json'), JSON.stringify({ ...plan, id: 'another' }));
      const second = await on.rebuild({ ...SMALL, threads });
      expect(second.generation.id).not.to.equal(first.generation.id);
      expect(await on.digest(second.generation.id)).to.equal(await projectedDigest(on));
    } finally {
      await on.close();
    }
  });

  it('tells in the status how far it is', async () => {
    const on = await Rebuilding.open(2, [...ofDao(LONG, 'first'), ...ofDao(LONG, 'second')]);
    try {
      const { log, store } = on.stores;
      const looks: Promise<Status>[] = [];
      const onProgress = () => looks.push(readStatus(log, store));
      await on.rebuild({ ...SMALL, threads, signOfLifeMs: 0, onProgress });
      const folded = (await Promise.all(looks)).map(({ generations: [generation] }) =>
        (generation?.checkpoints ?? []).reduce((sum, { offset }) => sum + offset, 0),
      );
      expect(folded).to.deep.equal(folded.toSorted((a, b) => a - b));
      expect(folded.filter((records) => records > 0 && records < 2 * LONG.length)).to.have.length.greaterThan(
        5,
      );
    } finally {
      await on.close();
    }
  });

  it('refuses a log of records that do not begin as ours do, whose accounts it would tear apart', async () => {
    const records = LONG.map((record) => ({ note: { account: `0:${'7'.repeat(64)}` }, ...record }));
    const on = await Rebuilding.open(1, records);
    try {
      expect(await rejection(on.rebuild({ ...SMALL, threads })))
        .to.be.instanceOf(FatalError)
        .with.property('code', 'LOG_FORMAT');
    } finally {
      await on.close();
    }
  });

  /** A rebuild that has done some of a step. */
  async function stoppedWhile(step: RebuildStep) {
    const on = await Rebuilding.open(1, LONG);
    const stopping = new AbortController();
    const first = await on.rebuild({
      ...SMALL,
      threads,
      signal: stopping.signal,
      onProgress: (progress) => {
        if (progress.step === step && progress.done > 0) stopping.abort();
      },
    });
    expect(first.complete).to.equal(false);
    return { on, first, folder: join(on.config.DATA_DIR, 'rebuild', first.generation.id) };
  }

  for (const [begun, open] of [
    ['', () => Rebuilding.open(1, LONG)],
    [', which was begun before', async () => (await stoppedWhile('folding')).on],
  ] as const)
    it(`gives way where another one builds the same generation${begun}`, async () => {
      const on = await open();
      try {
        const outcomes = await Promise.allSettled([
          on.rebuild({ ...SMALL, threads }),
          on.rebuild({ ...SMALL, threads }),
        ]);
        for (const outcome of outcomes)
          if (outcome.status === 'rejected')
            expect(outcome.reason).to.be.instanceOf(FatalError).with.property('code', 'REBUILD_ELSEWHERE');
        const { generation } = await on.rebuild({ threads });
        expect(await on.digest(generation.id)).to.equal(await projectedDigest(on));
      } finally {
        await on.close();
      }
    });

  describe('of a part', () => {
    const grown = `${projectionsVersion().split('.')[0]}.fewer-contracts`;
    const records = DAOS.flatMap((dao) => ofDao(LONG.slice(0, 1500), dao));

    for (const partitions of [1, 3])
      it(`gives what a rebuild of all gives, beside a generation that moves on (${partitions} partitions)`, async () => {
        const on = await Rebuilding.open(partitions, records);
        try {
          const { store } = on.stores;
          const live = await store.create(grown, partitions);
          await on.project(live.id);
          for (const scope of scopes(partitions)) {
            let moves = 3;
            const moving = whileCopying(store, live.id, async () => {
              if (moves-- <= 0) return;
              const more = DAOS.flatMap((dao) => ofDao(oneMore(moves + 100 * scope.daos.length), dao));
              await on.append(more);
              await on.project(live.id);
            });
            const { generation, complete } = await on.rebuild({ store: moving, threads, scope });
            expect(complete).to.equal(true);
            await on.project(generation.id);
            await on.project(live.id);
            expect(await contentOf(store, generation.id)).to.deep.equal(await contentOf(store, live.id));
            await store.drop(generation.id);
          }
          expect(await on.digest(live.id)).to.equal(await projectedDigest(on));
        } finally {
          await on.close();
        }
      });

    it('that was stopped begins anew', async () => {
      const on = await Rebuilding.open(1, records);
      try {
        const { store } = on.stores;
        const live = await store.create(grown, 1);
        await on.project(live.id);
        const stopping = new AbortController();
        const scope = { daos: [addressOf('second')], partitions: [] };
        const { signal } = stopping;
        const onProgress = () => stopping.abort();
        const first = await on.rebuild({ threads, scope, signal, onProgress });
        expect(first.complete).to.equal(false);
        const second = await on.rebuild({ threads, scope });
        expect(second.complete).to.equal(true);
        expect(second.generation.id).not.to.equal(first.generation.id);
        expect((await store.generations()).map(({ id }) => id)).to.deep.equal([
          live.id,
          second.generation.id,
        ]);
        expect(await on.digest(second.generation.id)).to.equal(await on.digest(live.id));
      } finally {
        await on.close();
      }
    });

    it('is refused where the folds have changed, where nothing is live, and for a partition that is not there', async () => {
      const on = await Rebuilding.open(1, records);
      try {
        const { store } = on.stores;
        const part = (partition: number) =>
          rejection(on.rebuild({ threads, scope: { daos: [], partitions: [partition] } }));
        expect(await part(0))
          .to.be.instanceOf(InvalidInputError)
          .with.property('code', 'REBUILD_ALL');
        await store.create('other folds.same', 1);
        expect(await part(0))
          .to.be.instanceOf(InvalidInputError)
          .with.property('code', 'REBUILD_ALL');
        expect(await part(1))
          .to.be.instanceOf(InvalidInputError)
          .with.property('code', 'PARTITION_UNKNOWN');
        expect(await store.generations()).to.have.length(1);
      } finally {
        await on.close();
      }
    });
  });
});

/** A rebuild of these records beside the projection of them. */
async function rebuilt(
  partitions: number,
  records: LogRecord[],
  options: Parameters<Rebuilding['rebuild']>[0],
) {
  const on = await Rebuilding.open(partitions, records);
  try {
    const outcome = await on.rebuild(options);
    const same = (await on.digest(outcome.generation.id)) === (await projectedDigest(on));
    return { ...outcome, same };
  } finally {
    await on.close();
  }
}

async function projectedDigest(on: Rebuilding): Promise<string> {
  const { id } = await on.stores.store.create('projected anew', on.stores.log.partitions);
  return on.project(id);
}

function scopes(partitions: number) {
  const [first = '', second = ''] = DAOS.map(addressOf);
  return [
    { daos: [first], partitions: [] },
    { daos: [first, second], partitions: [] },
    { daos: [], partitions: [partitionOf(second, partitions)] },
  ];
}

function oneMore(lt: number): LogRecord[] {
  return [received(`owner ${lt}`, 5n, lt)];
}

/** The store, where something happens while the documents of a generation are read. */
function whileCopying(store: ReadStore, id: string, happens: () => Promise<void>): ReadStore {
  const openWriter = async (opened: string): Promise<GenerationWriter> => {
    const writer = await store.openWriter(opened);
    if (opened !== id) return writer;
    return {
      checkpoint: (partition) => writer.checkpoint(partition),
      load: (keys) => writer.load(keys),
      commit: (batch) => writer.commit(batch),
      close: () => writer.close(),
      documents: async function* (model) {
        let read = 0;
        for await (const document of writer.documents(model)) {
          if (read++ === 500) await happens();
          yield document;
        }
      },
    };
  };
  return {
    openWriter,
    generations: () => store.generations(),
    create: (...named) => store.create(...named),
    complete: (named) => store.complete(named),
    promote: (named) => store.promote(named),
    drop: (named) => store.drop(named),
    view: (read, named) => store.view(read, named),
    close: () => store.close(),
  };
}

/** How frames of a dead letter are told depends on what else a process has loaded. */
function withoutStack(body: string | undefined): string | undefined {
  return body?.replace(/"stack":\[[^\]]*\]/, '');
}

/** All that a generation holds, but for how often it was edited. */
async function contentOf(store: ReadStore, id: string) {
  const writer = await store.openWriter(id);
  const documents: unknown[][] = [];
  const names = new Set<string>();
  for await (const { model, key, dao, body, state, entries } of writer.documents()) {
    documents.push([model, key, dao, withoutStack(body?.toString()), state?.toString(), entries]);
    for (const { list } of entries) names.add(list);
  }
  const { offset, digest, asOf, tally } = await writer.checkpoint(0);
  const lists = await store.view(async (view) => {
    const pages: unknown[] = [];
    for (const name of [...names].sort()) {
      const { total, items } = await view.page(name, 0, 1_000_000);
      pages.push([name, total, items.map((item) => withoutStack(item.toString()))]);
    }
    return pages;
  }, id);
  return { documents, lists, offset, digest, asOf, tally };
}
