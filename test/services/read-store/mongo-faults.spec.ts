import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { RetryableError } from '../../../shared/errors.ts';
import type { GenerationWriter, ReadStore } from '../../../shared/read-store/read-store.ts';
import { rejection } from '../../conformance/subject.ts';
import { type Fate, openFaulty } from './faulty-mongo.ts';
import { batchesIn, nthBatch, wholeBatches } from './moving-list.ts';
import { dropDatabase, open } from './open-mongo.ts';

const FATES = ['fails', 'answer lost'] as const satisfies Fate[];

describe('The read store in MongoDB while its calls fail', () => {
  const url = process.env['MONGODB_URL'] ?? '';
  let database: string;
  let id: string;
  /** Of another process, which nothing happens to. */
  let store: ReadStore;
  let writer: GenerationWriter;
  let opened: ReadStore[];

  beforeEach(async () => {
    database = `faults-${randomBytes(6).toString('hex')}`;
    store = await open(database);
    opened = [store];
    id = (await store.create('1', 1)).id;
    writer = await store.openWriter(id);
  });

  afterEach(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await dropDatabase(database);
  });

  async function openDoomed() {
    const doomed = openFaulty(url, database);
    opened.push(doomed.store);
    return { ...doomed, writer: await doomed.store.openWriter(id) };
  }

  /** How many batches are there, after whatever was left half done has been finished. */
  async function recovered(): Promise<number> {
    const { offset } = await writer.checkpoint(0);
    expect(await batchesIn(store)).to.equal(offset);
    return offset;
  }

  for (const fate of FATES) {
    it(`has a batch whole or not at all, at whatever call its process dies (${fate})`, async () => {
      let n = 0;
      let outcome = '';
      const seen = new Set<number>();
      for (let last = 1; outcome !== 'committed'; last++) {
        const doomed = await openDoomed();
        const from = doomed.connection.calls;
        // The call, and all that come after it: nobody is there to make them.
        doomed.connection.decide = (call) => {
          if (call < from + last) return 'done';
          return call === from + last ? fate : 'fails';
        };
        outcome = await doomed.writer.commit(nthBatch(n + 1)).catch((error: unknown) => {
          expect(error).to.be.instanceOf(RetryableError);
          return 'died';
        });
        const before = await batchesIn(store);
        expect(before).to.be.oneOf([n, n + 1]);
        const after = await recovered();
        expect(after).to.be.oneOf([before, n + 1]);
        seen.add(after - n);
        n = after;
      }
      expect([...seen]).to.have.members([0, 1]);
      expect(await writer.commit(nthBatch(n + 1))).to.equal('committed');
      expect(await recovered()).to.equal(n + 1);
    });
  }

  it('is not changed by a writer that was held up, at whatever call, while two more commits passed', async () => {
    let n = 0;
    let held = true;
    const outcomes = new Set<unknown>();
    for (let last = 1; held; last++) {
      const zombie = await openDoomed();
      const from = zombie.connection.calls;
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      held = false;
      const reached = new Promise<void>((resolve) => {
        zombie.connection.decide = async (call): Promise<Fate> => {
          if (call < from + last) return 'done';
          held = true;
          resolve();
          await released;
          return 'done';
        };
      });
      const late = zombie.writer.commit(nthBatch(n + 1)).catch((error: unknown) => error);
      await Promise.race([reached, late]);
      const start = await recovered();
      for (n = start; n < start + 2; n++) expect(await writer.commit(nthBatch(n + 1))).to.equal('committed');
      release();
      outcomes.add(await late);
      expect(await recovered()).to.equal(n);
    }
    expect([...outcomes]).to.have.members(['committed', 'conflict']);
    expect(await writer.commit(nthBatch(n + 1))).to.equal('committed');
    expect(await recovered()).to.equal(n + 1);
  });

  it('gets there where every tenth call fails, and no view ever shows part of a batch', async () => {
    const failing = await openDoomed();
    let failed = 0;
    failing.connection.decide = (call) => (call % 10 === 0 ? (FATES[failed++ % 2] ?? 'fails') : 'done');
    const goal = 40;
    const done = new AbortController();
    const watching = (async () => {
      for (let last = 0; !done.signal.aborted; ) {
        const n = await batchesIn(store);
        expect(n).to.be.at.least(last);
        last = n;
      }
    })();
    for (let n = 0; n < goal; ) {
      try {
        ({ offset: n } = await failing.writer.checkpoint(0));
        if (n < goal) await failing.writer.commit(nthBatch(n + 1));
      } catch (error) {
        expect(error).to.be.instanceOf(RetryableError);
      }
    }
    done.abort();
    await watching;
    expect(failed).to.be.greaterThan(goal / 2);
    expect(await recovered()).to.equal(goal);
  });

  it('lets slow views come to their end while commit follows commit', async () => {
    const reader = await open(database);
    opened.push(reader);
    const done = new AbortController();
    const committing = (async () => {
      for (let n = 1; !done.signal.aborted; n++)
        expect(await writer.commit(nthBatch(n))).to.equal('committed');
    })();
    let runs = 0;
    const views = Array.from({ length: 10 }, () =>
      reader.view(async (view) => {
        runs++;
        await sleep(150);
        return wholeBatches(view);
      }),
    );
    await Promise.all(views);
    done.abort();
    await committing;
    expect(runs).to.be.greaterThan(10);
  });

  it('tells a writer whose last batch was lost that it must be rebuilt', async () => {
    const doomed = await openDoomed();
    const from = doomed.connection.calls;
    doomed.connection.decide = (call) => (call > from + 6 ? 'fails' : 'done');
    await rejection(doomed.writer.commit(nthBatch(1)));
    await dropDatabase(database, `${id}_batches`);
    expect(await rejection(writer.checkpoint(0))).to.have.property('code', 'STORE_DAMAGED');
  });
});
