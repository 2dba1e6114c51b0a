import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import pino from 'pino';
import { DEAD_LETTERS, type DeadLetter, deadLettersOf } from '../../projector/dead-letters.ts';
import { discardRecord, retryAccount } from '../../projector/retry.ts';
import { generationDigest, project, startProjector } from '../../projector/run.ts';
import { openEmbeddedEventLog } from '../../shared/event-log/embedded.ts';
import type { EventLog, LogBatch } from '../../shared/event-log/event-log.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { openEmbeddedReadStore } from '../../shared/read-store/embedded.ts';
import type { GenerationWriter, ReadStore } from '../../shared/read-store/read-store.ts';
import { daoStatus } from './chain-of-facts.ts';
import { batchesOf } from './log-in-memory.ts';
import { burned, DAO, foundation, histories, minted, received, walletDiscovered, walletOf } from './story.ts';

const silent = pino({ level: 'silent' });
const complete = daoStatus(DAO, 'complete');

describe('dead letters', () => {
  let folder: string;
  let store: ReadStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dead-letters-'));
    store = await openEmbeddedReadStore(folder);
  });

  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  async function projected(records: LogRecord[]) {
    const { id } = await store.create('test', 1);
    const writer = await store.openWriter(id);
    for (const batch of batchesOf(records, [1000])) await project(batch, writer, silent);
    return { id, writer };
  }

  async function open(id: string): Promise<DeadLetter[]> {
    const page = await store.view((view) => view.page(deadLettersOf(0), 0, 1000), id);
    return page?.items.map((item) => JSON.parse(item.toString()) as DeadLetter) ?? [];
  }

  async function stateOf(id: string, dao = DAO): Promise<unknown> {
    const document = await store.view((view) => view.get('dao_state', dao), id);
    return document && (JSON.parse(document.body.toString()) as { state: string }).state;
  }

  const wallet = (owner: string) => ({ partition: 0, dao: DAO, account: walletOf(owner) });

  it('tell a person what the record is and where it failed', async () => {
    const { id } = await projected([
      ...foundation(),
      walletDiscovered('a'),
      burned('a', 3n, 10),
      burned('a', 1n, 11),
    ]);
    const [first, second] = await open(id);
    expect(first?.error).to.match(/would be negative/);
    expect(first?.stack[0]).to.match(/^at .*account-fold/);
    expect(first?.dump).to.match(/0x595f07bc burn \(internal\), 1000000000 nanoton/);
    expect(first?.dump).to.match(/^ +x\{595F07BC0000000000000001103/m);
    expect(second).to.deep.include({ error: 'waits for the record at offset 6', stack: [] });
  });

  it('are folded again once what was wrong is mended, and the DAO is live again', async () => {
    const records = [
      ...foundation(),
      complete,
      walletDiscovered('a'),
      received('a', 5n, 10),
      burned('a', 2n, 11),
      received('a', 4n, 12),
    ];
    const broken = await projected(records.with(7, unreadable(records[7])));
    const healthy = await projected(records);
    expect((await open(broken.id)).map(({ offset }) => offset)).to.deep.equal([7, 8, 9]);
    expect(await stateOf(broken.id)).to.equal('degraded');
    const retried = await retryAccount({ log: logOf(records), writer: broken.writer }, wallet('a'));
    expect(retried).to.include({ folded: 3, parked: 0 });
    expect(await open(broken.id)).to.deep.equal([]);
    expect(await stateOf(broken.id)).to.equal('live');
    expect(await bodiesOf(broken.writer)).to.deep.equal(await bodiesOf(healthy.writer));
  });

  it('stay parked where they fail again, with the error of this time', async () => {
    const records = [
      ...foundation(),
      complete,
      walletDiscovered('a'),
      burned('a', 2n, 10),
      received('a', 4n, 11),
    ];
    const { id, writer } = await projected(records);
    const log = logOf(records.with(7, unreadable(records[7])));
    const before = await open(id);
    const retried = await retryAccount({ log, writer }, wallet('a'));
    expect(retried).to.include({ folded: 0, parked: 2 });
    const after = await open(id);
    expect(after.map(({ offset }) => offset)).to.deep.equal([7, 8]);
    expect(after[0]?.error).to.not.equal(before[0]?.error);
    expect(await stateOf(id)).to.equal('degraded');
  });

  it('are given up from the first on; what waits behind is folded without it', async () => {
    const records = [
      ...foundation(),
      complete,
      walletDiscovered('a'),
      burned('a', 2n, 10),
      received('a', 4n, 11),
    ];
    const { id, writer } = await projected(records);
    const stores = { log: logOf(records), writer };
    const refused = await discardRecord(stores, wallet('a'), 8).catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'DEAD_LETTER_NOT_FIRST');
    expect(await discardRecord(stores, wallet('a'), 7)).to.include({ folded: 1, parked: 0 });
    const without = await projected(records.filter((_, offset) => offset !== 7));
    expect(await bodiesOf(writer)).to.deep.equal(await bodiesOf(without.writer));
    expect(await stateOf(id)).to.equal('live');
    const again = await discardRecord(stores, wallet('a'), 7).catch((error: unknown) => error);
    expect(again).to.have.property('code', 'DEAD_LETTER_NOT_FIRST');
  });

  it('of an account that is discovered anew are settled by that', async () => {
    const { id, writer } = await projected([
      ...foundation(),
      complete,
      walletDiscovered('a'),
      burned('a', 2n, 10),
      received('a', 4n, 11),
      walletDiscovered('a'),
      received('a', 4n, 11),
    ]);
    expect(await open(id)).to.deep.equal([]);
    expect(await retryAccount({ log: logOf([]), writer }, wallet('a'))).to.include({ folded: 0, parked: 0 });
  });

  it('by the thousand are folded in commits of bounded size', async () => {
    const arrivals = Array.from({ length: 2500 }, (_, n) => received('a', 1n, 10 + n));
    const records = [...foundation(), complete, walletDiscovered('a'), ...arrivals];
    const { id, writer } = await projected(records.with(7, unreadable(records[7])));
    expect(await retryAccount({ log: logOf(records), writer }, wallet('a'))).to.include({
      folded: 2500,
      parked: 0,
    });
    expect(await stateOf(id)).to.equal('live');
    expect((await writer.checkpoint(0)).edits).to.equal(3);
  });

  it('leave nothing behind: whatever fails and is retried, in whatever order and between any batches', async () => {
    const script = fc.record({
      chains: histories,
      anew: fc.boolean(),
      faults: fc.infiniteStream(fc.nat(3)),
      sizes: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      retries: fc.infiniteStream(fc.nat(2)),
      picks: fc.infiniteStream(fc.nat()),
    });
    await fc.assert(
      fc.asyncProperty(script, async ({ chains, anew, faults, sizes, retries, picks }) => {
        const once = chains.flat();
        const records = [...(anew ? [...once, ...chains.slice(1).flat()] : once), complete];
        const healthy = await projected(records);
        const faulty = () =>
          records.map((record) => (faults.next().value === 0 ? unreadable(record) : record));
        const { id } = await store.create('test', 1);
        const writer = await store.openWriter(id);
        const retryOne = async (log: LogRecord[]) => {
          const dead = await open(id);
          const picked = dead[picks.next().value % Math.max(1, dead.length)];
          if (picked) await retryAccount({ log: logOf(log), writer }, picked);
        };
        for (const batch of batchesOf(faulty(), sizes)) {
          await project(batch, writer, silent);
          if (retries.next().value === 0) await retryOne(retries.next().value === 0 ? faulty() : records);
        }
        while ((await open(id)).length > 0) await retryOne(records);
        expect(await generationDigest(writer, 1)).to.equal(await generationDigest(healthy.writer, 1));
        expect(await bodiesOf(writer)).to.deep.equal(await bodiesOf(healthy.writer));
        await expectOffsetsWithin(writer, records.length);
      }),
      { numRuns: 25 },
    );
  });

  it('are retried while a projector folds on, and nothing is lost or doubled', async () => {
    const log = await openEmbeddedEventLog(folder, 1);
    const indexer = await log.openWriter();
    const owners = Array.from({ length: 20 }, (_, n) => `owner ${n}`);
    const records = [
      ...foundation(),
      complete,
      ...owners.map(walletDiscovered),
      ...Array.from({ length: 60 }, (_, n) =>
        owners.flatMap((owner) => [
          minted(owner, 2n, 10 + n),
          received(owner, 2n, 11 + n),
          burned(owner, 1n, 12 + n),
        ]),
      ).flat(),
    ];
    const projector = await startProjector({ log: failingOnce(log), store, logger: silent, maxRecords: 7 });
    const { id } = projector.generation;
    const writer = await store.openWriter(id);
    const appending = (async () => {
      for (let from = 0; from < records.length; from += 50)
        await indexer.append({ records: records.slice(from, from + 50), state: [] });
    })();
    let retries = 0;
    for (;;) {
      const { offset } = await writer.checkpoint(0);
      const [dead] = await open(id);
      if (dead) retries += (await retryAccount({ log, writer }, dead)).folded > 0 ? 1 : 0;
      else if (offset === records.length) break;
      else await new Promise((resolve) => setImmediate(resolve));
    }
    await appending;
    await projector.stop();
    const healthy = await projected(records);
    expect(retries).to.be.greaterThan(10);
    expect(await generationDigest(writer, 1)).to.equal(await generationDigest(healthy.writer, 1));
    expect(await bodiesOf(writer)).to.deep.equal(await bodiesOf(healthy.writer));
    await log.close();
  });
});

/** The record with cells that nobody can read: it fails wherever a fold would look into it. */
function unreadable(record: LogRecord | undefined): LogRecord {
  if (record?.type !== 'transaction') return record as LogRecord;
  const { init, in: message, out } = record;
  const body = 'no cell';
  return {
    ...record,
    init: init && { ...init, data: body },
    in: message && { ...message, body },
    out: out.map((sent) => ({ ...sent, body })),
  };
}

function logOf(records: LogRecord[]): Pick<EventLog, 'scan'> {
  return {
    async *scan(partition, from, to) {
      const found = records
        .slice(from, to)
        .map((record, index) => ({ partition, offset: from + index, record }));
      if (found.length > 0) yield { partition, from, to: from + found.length, records: found, asOf: null };
    },
  };
}

/** The log as a follower sees it whose folds fail now and then. */
function failingOnce(log: EventLog): EventLog {
  const unreadably = (batch: LogBatch): LogBatch => ({
    ...batch,
    records: batch.records.map((stored) =>
      stored.offset % 17 === 0 ? { ...stored, record: unreadable(stored.record) } : stored,
    ),
  });
  return Object.assign(Object.create(log) as EventLog, {
    follow: (options: Parameters<EventLog['follow']>[0]) =>
      log.follow({ ...options, handle: (batch) => options.handle(unreadably(batch)) }),
  });
}

async function bodiesOf(writer: GenerationWriter): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  for await (const { model, key, body, entries } of writer.documents())
    if (body && model !== DEAD_LETTERS)
      bodies.set(`${model} ${key}`, `${body.toString()} ${JSON.stringify(entries)}`);
  return bodies;
}

async function expectOffsetsWithin(writer: GenerationWriter, end: number): Promise<void> {
  for await (const { model, key, offset } of writer.documents())
    expect(offset, `${model} ${key}`).to.be.lessThan(end);
}
