import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { RetryableError } from '../../../shared/errors.ts';
import type { GenerationWriter, ReadStore, ReadView } from '../../../shared/read-store/read-store.ts';
import { batchOf, documentOf, entry } from '../../conformance/documents.ts';
import { rejection, until } from '../../conformance/subject.ts';
import { type Fate, openFaulty } from './faulty-mongo.ts';
import { batchesIn, nthBatch } from './moving-list.ts';
import { dropDatabase, open } from './open-mongo.ts';

const FATES = ['fails', 'answer lost'] as const satisfies Fate[];

describe('The read store in MongoDB while its calls fail', () => {
  let url: string;
  let database: string;
  let id: string;
  /** Of another process, which nothing happens to. */
  let store: ReadStore;
  let writer: GenerationWriter;
  let opened: ReadStore[];

  beforeEach(async () => {
    url = process.env['MONGODB_URL'] ?? '';
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
    const watch = async () => {
      for (let last = 0; !done.signal.aborted; ) {
        const n = await batchesIn(store);
        expect(n).to.be.at.least(last);
        last = n;
      }
    };
    const watching = watch().catch((error: unknown) => error);
    for (let n = 0; n < goal; ) {
      try {
        ({ offset: n } = await failing.writer.checkpoint(0));
        if (n < goal) await failing.writer.commit(nthBatch(n + 1));
      } catch (error) {
        expect(error).to.be.instanceOf(RetryableError);
      }
    }
    done.abort();
    expect(await watching).to.equal(undefined);
    expect(failed).to.be.greaterThan(goal / 2);
    expect(await recovered()).to.equal(goal);
  });

  it('lets slow views come to their end while commit follows commit', async () => {
    const reader = await open(database);
    opened.push(reader);
    const done = new AbortController();
    /** All documents change with each batch, and their places in the list; the nodes of its tree stay. */
    let committed = 0;
    const commitOn = async () => {
      for (let n = 0; !done.signal.aborted; n++) {
        const documents = Array.from({ length: 40 }, (_, i) =>
          documentOf(`d${i}`, n + 1, [entry('all', String((i * 7 + n) % 40).padStart(2, '0'))]),
        );
        expect(await writer.commit(batchOf(n, n + 1, documents))).to.equal('committed');
        committed = n + 1;
      }
    };
    const committing = commitOn().catch((error: unknown) => error);
    let runs = 0;
    const moreCommits = (from = committed) => until(() => committed > from + 2);
    const slow = async (view: ReadView) => {
      runs++;
      const first = (await view.get('holder', 'd1'))?.body.toString();
      await moreCommits();
      const items = (await view.page('all', 0, 40)).items.map(String);
      await moreCommits();
      const last = (await view.get('holder', 'd2'))?.body.toString();
      return new Set([first, ...items, last]);
    };
    const seen = await Promise.all(Array.from({ length: 10 }, () => reader.view(slow)));
    done.abort();
    expect(await committing).to.equal(undefined);
    for (const each of seen) expect(each?.size).to.equal(1);
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
