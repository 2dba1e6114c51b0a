import { expect } from 'chai';
import * as fc from 'fast-check';
import { FatalError } from '../../shared/errors.ts';
import type { EventLog, LogBatch, LogWriter } from '../../shared/event-log/event-log.ts';
import { partitionOf } from '../../shared/event-log/partition.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { followConformance } from './event-log-follow.ts';
import { daoOf, factOf, inPartition, numberOf, numbers, PARTITIONS } from './facts.ts';
import { rejection, type Subject, startChild } from './subject.ts';

/** What every adapter of the EventLog promises. `create` makes an empty log of `PARTITIONS` partitions. */
export function eventLogConformance(name: string, create: () => Promise<Subject<EventLog>>): void {
  describe(`EventLog: ${name}`, () => {
    let subject: Subject<EventLog>;
    let opened: EventLog[];

    async function open(): Promise<EventLog> {
      const log = await subject.open();
      opened.push(log);
      return log;
    }

    beforeEach(async () => {
      opened = [];
      subject = await create();
    });

    afterEach(async () => {
      await Promise.all(opened.map((log) => log.close()));
      await subject.destroy();
    });

    it('is empty at first', async () => {
      const log = await open();
      expect(log.partitions).to.equal(PARTITIONS);
      expect(await log.ends()).to.deep.equal(
        Array.from({ length: PARTITIONS }, (_, partition) => ({ partition, end: 0, asOf: null })),
      );
      expect(await scanned(log, 0)).to.deep.equal([]);
      expect(await stateOf(await log.openWriter())).to.deep.equal(new Map());
      expect(await log.trackingRequests()).to.deep.equal(new Map());
    });

    describe('append', () => {
      it('gives the records of a DAO dense offsets of its partition, in order', async () => {
        const log = await open();
        const writer = await log.openWriter();
        const facts = numbers(0, 40).map((n) => factOf(daoOf(n % 7), n));
        await writer.append({ records: facts.slice(0, 25), state: [] });
        await writer.append({ records: facts.slice(25), state: [] });
        for (let partition = 0; partition < PARTITIONS; partition++) {
          const expected = inPartition(facts, partition);
          const records = await scanned(log, partition);
          expect(records.map(({ record }) => record)).to.deep.equal(expected);
          expect(records.map(({ offset }) => offset)).to.deep.equal(numbers(0, expected.length));
          expect(records.every((record) => record.partition === partition)).to.equal(true);
          expect((await log.ends())[partition]?.end).to.equal(expected.length);
        }
      });

      it('moves the as-of of every partition, and leaves it where the batch has none', async () => {
        const log = await open();
        const writer = await log.openWriter();
        await writer.append({ records: [factOf(daoOf(0), 0)], state: [], asOf: { seqno: 7, time: 70 } });
        await writer.append({ records: [factOf(daoOf(0), 1)], state: [] });
        for (const { asOf } of await log.ends()) expect(asOf).to.deep.equal({ seqno: 7, time: 70 });
        await writer.append({ records: [], state: [], asOf: { seqno: 8, time: 80 } });
        for (const { asOf } of await log.ends()) expect(asOf).to.deep.equal({ seqno: 8, time: 80 });
      });

      it('keeps the last value of each state entry, and forgets those set to null', async () => {
        const log = await open();
        const writer = await log.openWriter();
        await writer.append({
          records: [],
          state: [
            { key: 'head', value: { seqno: 1 } },
            { key: 'account/a', value: ['x'] },
            { key: 'account/b', value: 1 },
          ],
        });
        await writer.append({
          records: [],
          state: [
            { key: 'head', value: { seqno: 2 } },
            { key: 'account/b', value: null },
            { key: 'never there', value: null },
          ],
        });
        const expected = new Map<string, unknown>([
          ['head', { seqno: 2 }],
          ['account/a', ['x']],
        ]);
        expect(await stateOf(writer)).to.deep.equal(expected);
        expect(await stateOf(await (await open()).openWriter())).to.deep.equal(expected);
      });

      it('tells all of a large state', async () => {
        const writer = await (await open()).openWriter();
        const state = numbers(0, 2500).map((n) => ({ key: `account/${n}`, value: n }));
        await writer.append({ records: [], state });
        expect((await stateOf(writer)).size).to.equal(2500);
      });

      it('changes nothing where the batch cannot be written as JSON', async () => {
        const log = await open();
        const writer = await log.openWriter();
        const circular: { self?: unknown } = {};
        circular.self = circular;
        const batch = {
          records: [factOf(daoOf(0), 0)],
          state: [
            { key: 'ok', value: 1 },
            { key: 'no', value: circular },
          ],
        };
        await rejection(writer.append({ ...batch, asOf: { seqno: 1, time: 1 } }));
        for (const end of await log.ends()) expect(end).to.include({ end: 0, asOf: null });
        expect(await stateOf(writer)).to.deep.equal(new Map());
      });

      it('goes on where it stood after the log was opened again', async () => {
        const first = await open();
        await (await first.openWriter()).append({
          records: numbers(0, 10).map((n) => factOf(daoOf(1), n)),
          state: [{ key: 'head', value: 10 }],
          asOf: { seqno: 1, time: 2 },
        });
        const before = await first.ends();
        const again = await open();
        expect(await again.ends()).to.deep.equal(before);
        const writer = await again.openWriter();
        await writer.append({ records: [factOf(daoOf(1), 10)], state: [] });
        const records = await scanned(again, partitionOf(daoOf(1), PARTITIONS));
        expect(records.map(({ record }) => numberOf(record))).to.deep.equal(numbers(0, 11));
        expect(records.map(({ offset }) => offset)).to.deep.equal(numbers(0, 11));
      });
    });

    describe('fencing', () => {
      it('refuses every append of a writer after a later one was opened, and changes nothing', async () => {
        const log = await open();
        const elder = await log.openWriter();
        await elder.append({ records: [factOf(daoOf(0), 0)], state: [{ key: 'head', value: 'elder' }] });
        const younger = await (await open()).openWriter();
        const before = await log.ends();
        for (const records of [[], [factOf(daoOf(0), 1)]]) {
          const error = await rejection(
            elder.append({ records, state: [{ key: 'head', value: 'zombie' }], asOf: { seqno: 9, time: 9 } }),
          );
          expect(error).to.be.instanceOf(FatalError).with.property('code', 'WRITER_FENCED');
        }
        expect(await log.ends()).to.deep.equal(before);
        expect(await stateOf(younger)).to.deep.equal(new Map([['head', 'elder']]));
        await younger.append({ records: [factOf(daoOf(0), 1)], state: [] });
        expect(await scanned(log, partitionOf(daoOf(0), PARTITIONS))).to.have.length(2);
      });
    });

    describe('scan', () => {
      it('reads [from, to) in batches that join, parsed or not, and ends where the partition does', async () => {
        const log = await open();
        const writer = await log.openWriter();
        const dao = daoOf(3);
        const partition = partitionOf(dao, PARTITIONS);
        const count = 2300;
        const records = numbers(0, count).map((n) => factOf(dao, n));
        await writer.append({ records, state: [], asOf: { seqno: 4, time: 5 } });
        for (const [from, to] of [
          [0, count],
          [0, 10],
          [999, 2001],
          [2290, 9999],
          [count, 9999],
          [5, 5],
        ] as const) {
          const batches: LogBatch[] = [];
          for await (const batch of log.scan(partition, from, to)) batches.push(batch);
          expect(await parsedBatches(log, partition, from, to)).to.deep.equal(batches);
          const expected = numbers(from, Math.max(from, Math.min(to, count)));
          expect(
            batches.flatMap((batch) => batch.records.map(({ record }) => numberOf(record))),
          ).to.deep.equal(expected);
          let offset: number = from;
          for (const batch of batches) {
            expect(batch).to.include({ partition, from: offset, to: offset + batch.records.length });
            expect(batch.asOf).to.deep.equal(batch.to === count ? { seqno: 4, time: 5 } : null);
            offset = batch.to;
          }
        }
      });

      it('may be left early', async () => {
        const log = await open();
        const writer = await log.openWriter();
        await writer.append({ records: numbers(0, 2500).map((n) => factOf(daoOf(3), n)), state: [] });
        for await (const batch of log.scan(partitionOf(daoOf(3), PARTITIONS), 0, 2500)) {
          expect(batch.from).to.equal(0);
          break;
        }
      });
    });

    it('holds what a model of it holds, whatever is appended', async () => {
      const log = await open();
      const writer = await log.openWriter();
      const model: LogRecord[][] = Array.from({ length: PARTITIONS }, () => []);
      const batch = fc.array(fc.nat(11), { maxLength: 60 });
      let n = 0;
      await fc.assert(
        fc.asyncProperty(batch, fc.nat(), fc.nat(), async (daos, start, length) => {
          const records = daos.map((dao) => factOf(daoOf(dao), n++));
          await writer.append({ records, state: [] });
          for (const record of records) model[partitionOf(record.dao, PARTITIONS)]?.push(record);
          for (const [partition, expected] of model.entries()) {
            const from = start % (expected.length + 1);
            const to = from + (length % (expected.length + 10));
            const found = await scanned(log, partition, from, to);
            expect(found.map(({ record }) => record)).to.deep.equal(expected.slice(from, to));
          }
          expect((await log.ends()).map(({ end }) => end)).to.deep.equal(model.map(({ length: end }) => end));
        }),
        { numRuns: 25 },
      );
    });

    followConformance(open);

    describe('tracking requests', () => {
      it('keep the last one for each DAO, for whoever opens the log', async () => {
        const log = await open();
        const writer = await log.openWriter();
        await (await open()).requestTracking(daoOf(1), true);
        await log.requestTracking(daoOf(2), true);
        await log.requestTracking(daoOf(2), false);
        const expected = new Map([
          [daoOf(1), true],
          [daoOf(2), false],
        ]);
        expect(await log.trackingRequests()).to.deep.equal(expected);
        expect(await (await open()).trackingRequests()).to.deep.equal(expected);
        // They fence nobody.
        await writer.append({ records: [], state: [] });
      });
    });

    it('holds whole batches alone after a writer was killed in the middle of its appends', async () => {
      // Each batch of the child: one record for each of 12 DAOs, its number as state and as as-of.
      for (const appends of [1, 5, 23]) {
        const child = startChild('append.ts', subject);
        let durable = 0;
        for (let i = 0; i < appends; i++) durable = Number(await child.line());
        await child.kill();
        const log = await open();
        const batches = Number((await stateOf(await log.openWriter())).get('batches'));
        expect(batches).to.be.at.least(durable);
        let found = 0;
        for (let partition = 0; partition < PARTITIONS; partition++) {
          const records = await scanned(log, partition);
          expect(records.map(({ offset }) => offset)).to.deep.equal(numbers(0, records.length));
          found += records.length;
        }
        expect(found).to.equal(12 * batches);
        for (const { end, asOf, partition } of await log.ends()) {
          expect(asOf).to.deep.equal({ seqno: batches, time: batches });
          expect(end).to.equal((await scanned(log, partition)).length);
        }
      }
    });

    it('is written by one of two processes, the later one', async () => {
      const child = startChild('append.ts', subject);
      await child.line();
      const log = await open();
      const writer = await log.openWriter();
      // The child prints the code of what stopped it.
      let line = '';
      while (line !== 'WRITER_FENCED') line = await child.line();
      const before = await log.ends();
      await writer.append({ records: [], state: [] });
      expect(await log.ends()).to.deep.equal(before);
      await child.kill();
    });
  });
}

async function scanned(log: EventLog, partition: number, from = 0, to = Number.MAX_SAFE_INTEGER) {
  const records = [];
  for await (const batch of log.scan(partition, from, to)) records.push(...batch.records);
  return records;
}

async function stateOf(writer: LogWriter): Promise<Map<string, unknown>> {
  const state = new Map<string, unknown>();
  for await (const { key, value } of writer.state()) state.set(key, value);
  return state;
}

/** As `scan` gives them, from the bytes. */
async function parsedBatches(
  log: EventLog,
  partition: number,
  from: number,
  to: number,
): Promise<LogBatch[]> {
  const batches: LogBatch[] = [];
  for await (const { values, ...batch } of log.scanRaw(partition, from, to)) {
    const records = values.map((value, index) => {
      const record: LogRecord = JSON.parse(value.toString());
      return { partition, offset: batch.from + index, record };
    });
    batches.push({ ...batch, records });
  }
  return batches;
}
