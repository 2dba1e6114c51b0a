import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { generationDigest, startProjector } from '../../projector/run.ts';
import type { EventLog } from '../../shared/event-log/event-log.ts';
import { openKafkaEventLog } from '../../shared/event-log/kafka.ts';
import { openMongoReadStore } from '../../shared/read-store/mongo.ts';
import type { GenerationWriter, ReadStore } from '../../shared/read-store/read-store.ts';
import { until } from '../conformance/subject.ts';
import { undisturbedDigest } from '../service/digest.ts';
import { copyStory } from './copy-story.ts';
import { given } from './deployment.ts';

const logger = pino({ level: 'silent' });
/** Of which the story's two DAOs fill two, one of an even and one of an odd number: two members get one each. */
const PARTITIONS = 6;

describe('a rebalance in mid-batch', function () {
  this.timeout(5 * 60_000);

  it('another projector folds the batch that the first has in its hands, whose commit is then refused', async () => {
    const wanted = await undisturbedDigest();
    const name = `rebalance-${randomUUID().slice(0, 8)}`;
    const log = await openLog(name);
    const store = await openMongoReadStore({ url: given().MONGODB_URL, database: name, logger });
    await copyStory(log);
    const ends = (await log.ends()).filter(({ end }) => end > 0);
    expect(new Set(ends.map(({ partition }) => partition % 2))).to.have.property('size', 2);

    const held = holding(store);
    const first = await startProjector({ log, store: held.store, logger });
    await until(() => held.entered() === ends.length);
    const second = await startProjector({ log: await openLog(name), store, logger });
    const writer = await store.openWriter(first.generation.id);
    const folded = async () => {
      const checkpoints = await Promise.all(ends.map(({ partition }) => writer.checkpoint(partition)));
      return checkpoints.filter(({ offset }, at) => offset === ends[at]?.end).length;
    };
    await until(async () => (await folded()) > 0);
    held.release();
    await until(async () => (await folded()) === ends.length);
    expect(held.outcomes()).to.include.members(['conflict', 'committed']);
    expect(await generationDigest(writer, PARTITIONS)).to.equal(wanted);

    await Promise.all([first.stop(), second.stop()]);
    await store.close();
  });

  const opened: EventLog[] = [];
  after(() => Promise.all(opened.map((log) => log.close())));

  async function openLog(prefix: string): Promise<EventLog> {
    const brokers = [given().KAFKA_BROKERS];
    const settings = { brokers, prefix, partitions: PARTITIONS, replication: 1, tls: false, sasl: undefined };
    const log = await openKafkaEventLog({ ...settings, logger });
    opened.push(log);
    return log;
  }
});

/** The store, whose commits wait until they are released. */
function holding(store: ReadStore) {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let entered = 0;
  const outcomes: string[] = [];
  const openWriter = async (id: string): Promise<GenerationWriter> => {
    const writer = await store.openWriter(id);
    return {
      checkpoint: (partition) => writer.checkpoint(partition),
      load: (keys) => writer.load(keys),
      documents: (model) => writer.documents(model),
      close: () => writer.close(),
      commit: async (batch) => {
        entered++;
        await gate;
        const outcome = await writer.commit(batch);
        outcomes.push(outcome);
        return outcome;
      },
    };
  };
  const held: ReadStore = {
    generations: () => store.generations(),
    create: (...named) => store.create(...named),
    complete: (id) => store.complete(id),
    promote: (id) => store.promote(id),
    drop: (id) => store.drop(id),
    openWriter,
    view: (read, id) => store.view(read, id),
    close: () => store.close(),
  };
  return { store: held, entered: () => entered, outcomes: () => outcomes, release: () => release() };
}
