import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { pino } from 'pino';
import type { EventLog, LogWriter } from '../../../shared/event-log/event-log.ts';
import { partitionOf } from '../../../shared/event-log/partition.ts';
import { daoOf, factOf, numberOf, numbers, PARTITIONS } from '../../conformance/facts.ts';
import { followed, followLog } from '../../conformance/follower.ts';
import { until } from '../../conformance/subject.ts';
import { startKafka } from '../servers/kafka.ts';
import type { Server } from '../servers/server.ts';
import { kafkaSubject } from './kafka-subject.ts';
import { open as openKafka } from './open-kafka.ts';

const FOLLOW = fileURLToPath(new URL('../../conformance/children/follow.ts', import.meta.url));
const DAOS = 8;
/** Partitions that have one of the DAOs. */
const BUSY = new Set(numbers(0, DAOS).map((n) => partitionOf(daoOf(n), PARTITIONS))).size;

describe('The log on Kafka when things break', () => {
  let broker: Server;
  let subject: Awaited<ReturnType<typeof kafkaSubject>>;
  let opened: EventLog[];
  let children: ChildProcess[];

  async function open(): Promise<EventLog> {
    const log = await subject.open();
    opened.push(log);
    return log;
  }

  before(async () => {
    broker = await startKafka();
  });

  beforeEach(async () => {
    opened = [];
    children = [];
    subject = await kafkaSubject(broker.url);
  });

  afterEach(async () => {
    for (const child of children.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    )) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await Promise.all(opened.map((log) => log.close()));
    await subject.destroy();
  });

  after(() => broker.stop());

  it('holds every acknowledged record once after its broker was killed in the middle of appends, again and again', async () => {
    const log = await open();
    const appending = appendUntilStopped(log);
    const follower = await followLog(await open());
    for (const ms of [150, 400, 50]) {
      const before = appending.acknowledged();
      await until(() => appending.acknowledged() > before + 10);
      await sleep(ms);
      await broker.kill();
      await broker.start();
    }
    const before = appending.acknowledged();
    await until(() => appending.acknowledged() > before + 10);
    const batches = await appending.stop();
    await expectBatches(log, batches);
    // A follower of that time gets all of it, too.
    const ends = await log.ends();
    await until(() =>
      ends.every(({ partition, end }) => (follower.batches(partition).at(-1)?.to ?? 0) === end),
    );
    await follower.stop();
    for (const { partition, end } of ends) {
      const offsets = follower
        .batches(partition)
        .flatMap(({ records }) => records.map(({ offset }) => offset));
      expect(offsets).to.deep.equal(numbers(0, end));
    }
  });

  it('goes on where a later writer begins, however the earlier one ended', async () => {
    let batches = 0;
    for (const round of [1, 2, 3]) {
      const log = await open();
      const appending = appendUntilStopped(log);
      await until(() => appending.acknowledged() > batches + 5 * round);
      // Taken over in the middle of an append, which is then there as a whole or not at all.
      const next = await (await open()).openWriter();
      await appending.ended;
      batches = await batchesOf(next);
      expect(batches).to.be.at.least(appending.acknowledged());
      await expectBatches(log, batches);
    }
  });

  it('shares the partitions again when a follower comes or goes, and hands over every record', async () => {
    const log = await open();
    const writer = await log.openWriter();
    const store = checkpoints();
    const append = (from: number, to: number) =>
      writer.append({ records: numbers(from, to).map((n) => factOf(daoOf(n % DAOS), n)), state: [] });
    await append(0, 100);
    const first = follow(store, 'first');
    await until(async () => store.reached(await log.ends()));
    const second = follow(store, 'second');
    let n = 100;
    await until(async () => {
      await append(n, n + 20);
      n += 20;
      return store.by('second').size > 0;
    });
    first.kill('SIGTERM');
    await until(async () => {
      await append(n, n + 20);
      n += 20;
      return store.by('second').size === BUSY;
    });
    await until(async () => store.reached(await log.ends()));
    expect(second.exitCode).to.equal(null);
  });

  it('is not harmed by a follower that slept while others took its partitions', async () => {
    const log = await open();
    const writer = await log.openWriter();
    const store = checkpoints();
    let n = 0;
    const append = async () => {
      await writer.append({ records: numbers(n, n + 20).map((i) => factOf(daoOf(i % DAOS), i)), state: [] });
      n += 20;
    };
    await append();
    const sleeper = follow(store, 'sleeper');
    await until(async () => store.reached(await log.ends()));
    sleeper.kill('SIGSTOP');
    follow(store, 'other');
    await append();
    await until(() => store.by('other').size === BUSY);
    await until(async () => store.reached(await log.ends()));
    sleeper.kill('SIGCONT');
    // It meets a store that has moved on, then its group, and takes part again.
    store.forgetWho();
    await until(async () => {
      await append();
      await sleep(50);
      return store.by('sleeper').size > 0 && store.by('other').size > 0;
    });
    await until(async () => store.reached(await log.ends()));
  });

  it('joins its group anew where a broker falls silent and keeps its connections, and misses nothing', async () => {
    const warnings: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => warnings.push(line) });
    const impatient = await openKafka(subject.opener.at, { logger, stallMs: 2000 });
    opened.push(impatient);
    const log = await open();
    const append = async (from: number, to: number) => {
      const writer = await log.openWriter();
      await writer.append({ records: numbers(from, to).map((n) => factOf(daoOf(n % DAOS), n)), state: [] });
      await writer.close();
    };
    await append(0, 100);
    const follower = await followLog(impatient);
    const caughtUp = async () =>
      (await log.ends()).every(({ partition, end }) => followed(follower, partition).length === end);
    await until(caughtUp);

    broker.freeze();
    try {
      await until(() => warnings.some((line) => line.includes('no heartbeat for')));
    } finally {
      broker.thaw();
    }
    await append(100, 200);
    await until(caughtUp);
    for (const { partition, end } of await log.ends())
      expect(
        follower.batches(partition).flatMap(({ records }) => records.map(({ offset }) => offset)),
      ).to.deep.equal(numbers(0, end));
    await follower.stop();
  });

  function follow(store: ReturnType<typeof checkpoints>, name: string): ChildProcess {
    const { module, at } = subject.opener;
    const child = fork(FOLLOW, [module, at, 'shared'], { execArgv: ['--import', 'tsx'] });
    child.on('message', (message) => store.answer(child, name, message as Question));
    children.push(child);
    return child;
  }
});

interface Question {
  question: number;
  partition: number;
  from?: number;
  to: number;
  offsets: number[];
}

/** A read store's part: checkpoints that move by compare-and-set, and who moved them. */
function checkpoints() {
  const positions = numbers(0, PARTITIONS).fill(0);
  const moved = new Map<string, Set<number>>();
  const by = (name: string) => moved.get(name) ?? new Set();
  return {
    by,
    forgetWho: () => moved.clear(),
    reached: (ends: { partition: number; end: number }[]) =>
      ends.every(({ partition, end }) => positions[partition] === end),
    answer(child: ChildProcess, name: string, { question, partition, from, to, offsets }: Question) {
      if (from !== undefined && from === positions[partition]) {
        expect(offsets).to.deep.equal(numbers(from, to));
        positions[partition] = to;
        if (to > from) moved.set(name, by(name).add(partition));
      }
      if (child.connected) child.send({ question, answer: positions[partition] });
    },
  };
}

/** Appends one record of each DAO and its number as state, batch after batch, until told to or refused. */
function appendUntilStopped(log: EventLog) {
  let acknowledged = 0;
  const stopping = new AbortController();
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      const writer = await log.openWriter().catch(() => null);
      if (!writer) continue;
      let batch = await batchesOf(writer);
      try {
        while (!stopping.signal.aborted) {
          batch++;
          await writer.append({
            records: numbers(0, DAOS).map((dao) => factOf(daoOf(dao), batch)),
            state: [{ key: 'batches', value: batch }],
            asOf: { seqno: batch, time: batch },
          });
          acknowledged = batch;
        }
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'WRITER_FENCED') return;
      }
    }
  })();
  return {
    acknowledged: () => acknowledged,
    ended,
    async stop() {
      stopping.abort();
      await ended;
      return acknowledged;
    },
  };
}

async function batchesOf(writer: LogWriter): Promise<number> {
  for await (const { key, value } of writer.state()) if (key === 'batches') return Number(value);
  return 0;
}

/** Each DAO has the records 1..batches, in order, at dense offsets, and nothing else. */
async function expectBatches(log: EventLog, batches: number): Promise<void> {
  const found = new Map<string, number[]>();
  for (const { partition, end, asOf } of await log.ends()) {
    expect(asOf).to.deep.equal({ seqno: batches, time: batches });
    let offset = 0;
    for await (const { records } of log.scan(partition, 0, end)) {
      for (const stored of records) {
        expect(stored.offset).to.equal(offset++);
        found.set(stored.record.dao, [...(found.get(stored.record.dao) ?? []), numberOf(stored.record)]);
      }
    }
    expect(offset).to.equal(end);
  }
  expect(found.size).to.equal(DAOS);
  for (const all of found.values()) expect(all).to.deep.equal(numbers(1, batches + 1));
}
