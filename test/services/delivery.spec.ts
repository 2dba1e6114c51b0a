import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { generationDigest, project } from '../../projector/run.ts';
import type { LogBatch } from '../../shared/event-log/event-log.ts';
import { openMongoReadStore } from '../../shared/read-store/mongo.ts';
import type { GenerationWriter, ReadStore } from '../../shared/read-store/read-store.ts';
import { undisturbedDigest } from '../service/digest.ts';
import { indexStory } from '../service/harness.ts';
import { given } from './deployment.ts';

const logger = pino({ level: 'silent' });
const RECORDS = 250;

describe('the story delivered to MongoDB otherwise than once', function () {
  this.timeout(10 * 60_000);
  let batches: LogBatch[][];
  let partitions: number;
  let wanted: string;
  let store: ReadStore;

  before(async () => {
    wanted = await undisturbedDigest();
    const story = await indexStory();
    await story.caughtUp();
    const { log } = story.stores;
    partitions = log.partitions;
    batches = await Promise.all(
      (await log.ends()).map(async ({ partition, end }) => {
        const found: LogBatch[] = [];
        for (let from = 0; from < end; from += RECORDS)
          for await (const batch of log.scan(partition, from, from + RECORDS)) found.push(batch);
        return found;
      }),
    );
    await story.close();
  });

  beforeEach(async () => {
    const database = `delivery_${randomUUID().slice(0, 8)}`;
    store = await openMongoReadStore({ url: given().MONGODB_URL, database, logger });
  });
  afterEach(() => store.close());

  it('each batch twice, and every one before it now and then: the digest is that of one delivery', async () => {
    const writer = await newWriter();
    for (const partition of batches)
      for (const [n, batch] of partition.entries()) {
        await project(batch, writer, logger);
        for (const again of [batch, partition[Math.floor(Math.random() * (n + 1))] as LogBatch])
          expect(await outcome(project(again, writer, logger))).to.equal('CHECKPOINT_MOVED');
      }
    expect(await generationDigest(writer, partitions)).to.equal(wanted);
  });

  it('to three projectors at once: each batch is folded by one of them', async () => {
    const writers = [await newWriter()];
    for (const { id } of await store.generations())
      writers.push(await store.openWriter(id), await store.openWriter(id));
    for (const batch of batches.flat()) {
      const outcomes = await Promise.all(writers.map((writer) => outcome(project(batch, writer, logger))));
      expect(outcomes.filter((code) => code === 'done')).to.have.length(1);
    }
    expect(await generationDigest(writers[0] as GenerationWriter, partitions)).to.equal(wanted);
  });

  it('by a store that fails every tenth write, before or after it took effect', async () => {
    const writer = await newWriter();
    let writes = 0;
    const failing: GenerationWriter = {
      checkpoint: (partition) => writer.checkpoint(partition),
      load: (keys) => writer.load(keys),
      documents: (model) => writer.documents(model),
      close: () => writer.close(),
      commit: async (batch) => {
        const fails = ++writes % 10 === 0;
        if (fails && writes % 20 === 0) throw new Error('failed before it took effect');
        const committed = await writer.commit(batch);
        if (fails) throw new Error('failed after it took effect');
        return committed;
      },
    };
    for (const batch of batches.flat())
      while ((await writer.checkpoint(batch.partition)).offset < batch.to)
        await outcome(project(batch, failing, logger));
    expect(writes).to.be.greaterThan(20);
    expect(await generationDigest(writer, partitions)).to.equal(wanted);
  });

  async function newWriter(): Promise<GenerationWriter> {
    return store.openWriter((await store.create('delivery', partitions)).id);
  }
});

/** `done`, or the code or message of what went wrong. */
async function outcome(projected: Promise<void>): Promise<string> {
  try {
    await projected;
    return 'done';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
