import { expect } from 'chai';
import type { EventLog } from '../../shared/event-log/event-log.ts';
import { partitionOf } from '../../shared/event-log/partition.ts';
import { daoOf, factOf, inPartition, numberOf, numbers, PARTITIONS } from './facts.ts';
import { followed, followLog } from './follower.ts';
import { until } from './subject.ts';

/** The part of the EventLog's suite that is about followers. */
export function followConformance(open: () => Promise<EventLog>): void {
  describe('follow', () => {
    it('hands over what is there and what comes, each partition in order from its checkpoint', async () => {
      const log = await open();
      const writer = await log.openWriter();
      const facts = numbers(0, 60).map((n) => factOf(daoOf(n % 9), n));
      await writer.append({ records: facts.slice(0, 30), state: [] });
      const skip = (partition: number) => Math.min(2, inPartition(facts.slice(0, 30), partition).length);
      const follower = await followLog(log, { checkpoint: skip });
      await writer.append({ records: facts.slice(30), state: [] });
      const expected = (partition: number) => inPartition(facts, partition).slice(skip(partition));
      await until(() =>
        numbers(0, PARTITIONS).every((p) => followed(follower, p).length >= expected(p).length),
      );
      await follower.stop();
      for (let partition = 0; partition < PARTITIONS; partition++) {
        expect(followed(follower, partition)).to.deep.equal(expected(partition));
        let offset = skip(partition);
        for (const batch of follower.batches(partition)) {
          expect(batch.from).to.equal(offset);
          offset = batch.to;
        }
      }
    });

    it('hands over no more records at once than asked for', async () => {
      const log = await open();
      const writer = await log.openWriter();
      await writer.append({ records: numbers(0, 50).map((n) => factOf(daoOf(2), n)), state: [] });
      const partition = partitionOf(daoOf(2), PARTITIONS);
      const follower = await followLog(log, { maxRecords: 8 });
      await until(() => followed(follower, partition).length === 50);
      await follower.stop();
      for (const { records } of follower.batches(partition)) expect(records.length).to.be.at.most(8);
    });

    it('tells every partition that the as-of moved, also one without a record', async () => {
      const log = await open();
      const writer = await log.openWriter();
      const follower = await followLog(log);
      for (const seqno of [5, 6]) {
        await writer.append({ records: [], state: [], asOf: { seqno, time: 50 } });
        await until(() =>
          numbers(0, PARTITIONS).every((p) => follower.batches(p).at(-1)?.asOf?.seqno === seqno),
        );
      }
      await follower.stop();
      for (const batch of follower.all()) expect(batch).to.include({ from: 0, to: 0 });
    });

    it('gives the as-of with the batch that reaches the end alone', async () => {
      const log = await open();
      const writer = await log.openWriter();
      const records = numbers(0, 20).map((n) => factOf(daoOf(2), n));
      await writer.append({ records, state: [], asOf: { seqno: 3, time: 4 } });
      const partition = partitionOf(daoOf(2), PARTITIONS);
      const follower = await followLog(log, { maxRecords: 6 });
      await until(() => followed(follower, partition).length === 20);
      await follower.stop();
      for (const { to, asOf } of follower.batches(partition)) {
        expect(asOf).to.deep.equal(to === 20 ? { seqno: 3, time: 4 } : null);
      }
    });

    it('reads a partition again from its checkpoint after a failure, while the others go on', async () => {
      const log = await open();
      const writer = await log.openWriter();
      const bad = partitionOf(daoOf(0), PARTITIONS);
      const other = numbers(1, 50).find((n) => partitionOf(daoOf(n), PARTITIONS) !== bad) ?? 0;
      let failing = true;
      const follower = await followLog(log, {
        maxRecords: 2,
        handle: (batch) => {
          if (batch.partition === bad && batch.to > 2 && failing) throw new Error('no room');
        },
      });
      await writer.append({ records: numbers(0, 6).map((n) => factOf(daoOf(0), n)), state: [] });
      await until(() => follower.failures.length >= 2);
      await writer.append({ records: [factOf(daoOf(other), 6)], state: [] });
      await until(() => followed(follower, partitionOf(daoOf(other), PARTITIONS)).length === 1);
      failing = false;
      await until(() => followed(follower, bad).length === 6);
      await follower.stop();
      expect(followed(follower, bad).map(numberOf)).to.deep.equal(numbers(0, 6));
      for (const { partition, error } of follower.failures) {
        expect(partition).to.equal(bad);
        expect(error).to.have.property('message', 'no room');
      }
    });

    it('gives every group all records', async () => {
      const log = await open();
      const writer = await log.openWriter();
      const followers = [await followLog(log, { group: 'one' }), await followLog(log, { group: 'two' })];
      await writer.append({ records: numbers(0, 20).map((n) => factOf(daoOf(n), n)), state: [] });
      for (const follower of followers) {
        await until(() => follower.all().reduce((sum, { records }) => sum + records.length, 0) === 20);
        await follower.stop();
      }
    });

    it('sees what another handle appends', async () => {
      const follower = await followLog(await open());
      const writer = await (await open()).openWriter();
      await writer.append({ records: [factOf(daoOf(4), 1)], state: [] });
      await until(() => followed(follower, partitionOf(daoOf(4), PARTITIONS)).length === 1);
      await follower.stop();
    });

    it('waits for what is in flight when stopped, and begins nothing after', async () => {
      const log = await open();
      const writer = await log.openWriter();
      const partition = partitionOf(daoOf(5), PARTITIONS);
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const follower = await followLog(log, {
        maxRecords: 1,
        handle: (batch) => (batch.to === 1 ? gate : undefined),
      });
      await writer.append({ records: numbers(0, 3).map((n) => factOf(daoOf(5), n)), state: [] });
      await until(() => follower.entered(partition) === 1);
      let stopped = false;
      const stopping = follower.stop().finally(() => {
        stopped = true;
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(stopped).to.equal(false);
      release();
      await stopping;
      expect(followed(follower, partition)).to.have.length(1);
      await writer.append({ records: [factOf(daoOf(5), 3)], state: [] });
      expect(follower.entered(partition)).to.equal(1);
    });
  });
}
