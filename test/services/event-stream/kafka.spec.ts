import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { pino } from 'pino';
import { toNdjson } from '../../../projector/export/ndjson.ts';
import { startEventPublisher } from '../../../projector/export/publish-events.ts';
import { selectRows } from '../../../projector/export/select-rows.ts';
import { FatalError } from '../../../shared/errors.ts';
import { openEmbeddedEventLog } from '../../../shared/event-log/embedded.ts';
import type { EventLog } from '../../../shared/event-log/event-log.ts';
import { kafkaClient } from '../../../shared/event-log/kafka-client.ts';
import { KafkaFetcher } from '../../../shared/event-log/kafka-fetcher.ts';
import type { LogRecord } from '../../../shared/event-log/record.ts';
import { openKafkaEventStream } from '../../../shared/event-stream/kafka.ts';
import { addressOf, daoStatus, discovered } from '../../projector/chain-of-facts.ts';
import { bytesOf } from '../../projector/export-log.ts';
import { received, walletOf } from '../../projector/story.ts';
import { withAdmin } from '../event-log/kafka-subject.ts';
import { PARTITIONS, settingsOf } from './open-kafka.ts';

/** Set by the run before its first test, not before this file is loaded. */
const brokers = () => process.env['KAFKA_BROKERS'] ?? '';
const program = fileURLToPath(new URL('publisher.ts', import.meta.url));
const logger = pino({ level: 'silent' });
const RECORDS = 1200;

describe('the topic of events', () => {
  let folder: string;
  let log: EventLog;
  let prefix: string;
  let fetcher: KafkaFetcher;
  const children = new Set<ChildProcess>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'events-'));
    log = await openEmbeddedEventLog(folder, PARTITIONS);
    const writer = await log.openWriter();
    await writer.append({ records: Array.from({ length: RECORDS }, (_, i) => recordOf(i)), state: [] });
    await writer.close();
  });

  beforeEach(() => {
    prefix = `test-${randomUUID()}`;
    fetcher = new KafkaFetcher(kafkaClient(settingsOf(brokers(), prefix)));
  });

  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
    await fetcher.close();
    await withAdmin(brokers(), async (admin) => {
      const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${prefix}.`));
      if (topics.length > 0) await admin.deleteTopics({ topics });
    });
  });

  after(async () => {
    await log.close();
    await rm(folder, { recursive: true });
  });

  it('holds every event once and in order, though its publisher is killed in mid-stream over and over', async () => {
    const expected = await exported();
    let kills = 0;
    for (let before = 0; before < expected.length; kills++) {
      const child = await startChild();
      // A few transactions further, whatever the machine's speed.
      const until = Math.min(before + 150, expected.length);
      while ((await published()).length < until) await pause(20);
      child.kill('SIGKILL');
      await once(child, 'close');
      before = (await published()).length;
    }
    expect(kills).to.be.greaterThan(2);
    expect(await published()).to.deep.equal(expected);
    expect(await keysFit()).to.equal(true);
  });

  it('holds every event once where two publishers are at it', async () => {
    const expected = await exported();
    const publishers = await Promise.all(
      [1, 2].map(async () => {
        const stream = await openKafkaEventStream(settingsOf(brokers(), prefix));
        const publisher = await startEventPublisher({ log, stream, logger, maxRecords: 100 });
        return async () => {
          await publisher.stop();
          await stream.close();
        };
      }),
    );
    while ((await published()).length < expected.length) await pause(50);
    await Promise.all(publishers.map((stop) => stop()));
    expect(await published()).to.deep.equal(expected);
  });

  it('a batch that does not go on from the position is refused', async () => {
    const stream = await openKafkaEventStream(settingsOf(brokers(), prefix));
    const younger = await openKafkaEventStream(settingsOf(brokers(), prefix));
    const publish = (to: typeof stream, from: number) =>
      to.publish({ partition: 0, from, to: from + 1, events: [{ dao: 'dao', json: String(from) }] }).then(
        () => 'published',
        ({ code }: { code: string }) => code,
      );
    expect(await publish(stream, 0)).to.equal('STREAM_POSITION');
    expect(await stream.position(0)).to.equal(0);
    expect(await publish(stream, 1)).to.equal('STREAM_POSITION');
    expect(await publish(stream, 0)).to.equal('published');
    expect(await younger.position(0)).to.equal(1);
    expect(await publish(stream, 1)).to.equal('STREAM_POSITION');
    expect(await publish(younger, 1)).to.equal('published');
    expect(await stream.position(0)).to.equal(2);
    expect(await published()).to.deep.equal(['0', '1']);
    await stream.close();
    await younger.close();
  });

  it('topics with other partitions than the log are refused', async () => {
    await (await openKafkaEventStream(settingsOf(brokers(), prefix))).close();
    const other = { ...settingsOf(brokers(), prefix), partitions: PARTITIONS + 1 };
    const refused = await openKafkaEventStream(other).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(FatalError).with.property('code', 'EVENTS_PARTITIONS');
  });

  async function startChild(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['--import', 'tsx', program, folder, brokers(), prefix], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.add(child);
    const [told] = (await Promise.race([once(child.stdout, 'data'), once(child, 'close')])) as [
      Buffer | number,
    ];
    expect(String(told)).to.equal('publishing\n');
    return child;
  }

  async function exported(): Promise<string[]> {
    const ndjson = await bytesOf(toNdjson(selectRows(log, {})));
    return ndjson.toString().trimEnd().split('\n');
  }

  const published = async () => (await messages()).map(({ value }) => value?.toString());

  const keysFit = async () =>
    (await messages()).every(
      ({ key, value }) => (JSON.parse(value?.toString() ?? '') as { dao: string }).dao === key.toString(),
    );

  async function messages() {
    const all: Awaited<ReturnType<KafkaFetcher['fetch']>>['messages'] = [];
    for (let partition = 0; partition < PARTITIONS; partition++)
      for (let at = 0, end = 1; at < end; ) {
        const fetched = await fetcher.patientFetch(`${prefix}.events`, partition, at);
        all.push(...fetched.messages);
        ({ next: at, end } = fetched);
      }
    return all;
  }
});

/** Records of many DAOs, of which some tell no event. */
function recordOf(index: number): LogRecord {
  const dao = addressOf(`dao ${index % 17}`);
  if (index < 17) return daoStatus(dao, 'tracked');
  if (index < 34) return discovered(dao, walletOf('a'), 'gp_wallet');
  return { ...received('a', BigInt(index), index), dao, success: index % 5 !== 0 } as LogRecord;
}
