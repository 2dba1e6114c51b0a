import { expect } from 'chai';
import kafkajs, { type Kafka } from 'kafkajs';
import { pino } from 'pino';
import { FatalError, InvalidInputError, RetryableError } from '../../../shared/errors.ts';
import type { EventLog } from '../../../shared/event-log/event-log.ts';
import { openKafkaEventLog } from '../../../shared/event-log/kafka.ts';
import { partitionOf } from '../../../shared/event-log/partition.ts';
import type { LogRecord } from '../../../shared/event-log/record.ts';
import { daoOf, factOf, numberOf, numbers, PARTITIONS } from '../../conformance/facts.ts';
import { followLog } from '../../conformance/follower.ts';
import { rejection, until } from '../../conformance/subject.ts';
import { kafkaSubject, withAdmin } from './kafka-subject.ts';

const partition = partitionOf(daoOf(0), PARTITIONS);

describe('The log on Kafka alone', () => {
  let subject: Awaited<ReturnType<typeof kafkaSubject>>;
  let brokers: string;
  let kafka: Kafka;
  let opened: EventLog[];

  const settings = () => ({
    brokers: [brokers],
    prefix: subject.prefix,
    partitions: PARTITIONS,
    replication: 1,
    tls: false,
    sasl: undefined,
    logger: pino({ level: 'silent' }),
  });

  async function open(): Promise<EventLog> {
    const log = await subject.open();
    opened.push(log);
    return log;
  }

  beforeEach(async () => {
    brokers = process.env['KAFKA_BROKERS'] ?? '';
    kafka = new kafkajs.Kafka({ brokers: [brokers], logLevel: kafkajs.logLevel.NOTHING });
    opened = [];
    subject = await kafkaSubject(brokers);
  });

  afterEach(async () => {
    await Promise.all(opened.map((log) => log.close()));
    await subject.destroy();
  });

  it('refuses another number of partitions than it was created with, and says which', async () => {
    await open();
    const error = await rejection(openKafkaEventLog({ ...settings(), partitions: PARTITIONS + 1 }));
    expect(error).to.be.instanceOf(FatalError).with.property('code', 'LOG_PARTITIONS_FIXED');
    expect(error).to.have.property('message').that.includes(`configure ${PARTITIONS}`);
  });

  it('refuses topics that would lose records or state, and says how to mend them', async () => {
    await open();
    for (const [name, configName, value, wanted] of [
      ['records', 'retention.ms', '604800000', 'retention.ms=-1'],
      ['records', 'cleanup.policy', 'compact', 'cleanup.policy=delete'],
      ['state', 'cleanup.policy', 'delete', 'cleanup.policy=compact'],
    ] as const) {
      const topic = `${subject.prefix}.${name}`;
      const alter = (configEntries: { name: string; value: string }[]) =>
        withAdmin(brokers, (admin) =>
          admin.alterConfigs({
            validateOnly: false,
            resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configEntries }],
          }),
        );
      const right = { 'cleanup.policy': name === 'records' ? 'delete' : 'compact', 'retention.ms': '-1' };
      const entries = { ...right, 'max.message.bytes': '16777216', 'retention.bytes': '-1' };
      const asEntries = (from: object) =>
        Object.entries(from).map(([key, each]) => ({ name: key, value: String(each) }));
      await alter(asEntries({ ...entries, [configName]: value }));
      const error = await rejection(openKafkaEventLog(settings()));
      expect(error).to.be.instanceOf(FatalError).with.property('code', 'KAFKA_TOPIC_SETTINGS');
      expect(error).to.have.property('message').that.includes(topic).and.includes(wanted);
      await alter(asEntries(entries));
      await open();
    }
  });

  it('says that no broker can be reached, and never the password', async () => {
    const error = await rejection(
      openKafkaEventLog({ ...settings(), brokers: ['127.0.0.1:1'], sasl: 'plain:me:s3cr:et' }),
    );
    expect(error).to.be.instanceOf(RetryableError).with.property('code', 'KAFKA_UNAVAILABLE');
    expect(error).to.have.property('message').that.includes('127.0.0.1:1').and.not.includes('s3cr');
  });

  it('takes an append that is larger than a message may be, and refuses such a record', async () => {
    const log = await open();
    const writer = await log.openWriter();
    const large = (n: number, bytes: number): LogRecord => {
      const fact = factOf(daoOf(0), n);
      return fact.type === 'jetton_metadata' ? { ...fact, metadata: { name: 'x'.repeat(bytes) } } : fact;
    };
    const records = numbers(0, 12).map((n) => large(n, 2 * 1024 * 1024));
    await writer.append({ records, state: [], asOf: { seqno: 1, time: 1 } });
    const refused = await rejection(
      writer.append({ records: [factOf(daoOf(0), 12), large(13, 20 * 1024 * 1024)], state: [] }),
    );
    expect(refused).to.be.instanceOf(InvalidInputError).with.property('code', 'RECORD_TOO_LARGE');
    await writer.append({ records: [factOf(daoOf(0), 12)], state: [] });
    const found: number[] = [];
    for await (const batch of log.scan(partition, 0, 99)) {
      expect(batch.records.length).to.be.at.most(3);
      found.push(...batch.records.map(({ record }) => numberOf(record)));
    }
    expect(found).to.deep.equal(numbers(0, 13));
  });

  it('finds every dense offset among markers and aborted records, from any place', async () => {
    const log = await open();
    let writer = await log.openWriter();
    let n = 0;
    for (let round = 0; round < 6; round++) {
      for (const count of [1, 3, 1, 40, 1, 1]) {
        await writer.append({ records: numbers(n, n + count).map((i) => factOf(daoOf(0), i)), state: [] });
        n += count;
      }
      await leaveOpenTransaction(kafka, subject.prefix, 30 * round);
      writer = await (await open()).openWriter();
    }
    for (const handle of [log, await open()]) {
      for (let from = 0; from < n; from += 7) {
        const found: { offset: number; number: number }[] = [];
        for await (const { records } of handle.scan(partition, from, from + 5))
          found.push(...records.map(({ record, offset }) => ({ offset, number: numberOf(record) })));
        const expected = numbers(from, Math.min(from + 5, n)).map((offset) => ({ offset, number: offset }));
        expect(found).to.deep.equal(expected);
      }
    }
    const follower = await followLog(log, { checkpoint: () => n - 9 });
    await until(() => follower.batches(partition).at(-1)?.to === n);
    expect(follower.batches(partition)[0]?.from).to.equal(n - 9);
    expect(follower.failures.every((failure) => failure.partition !== partition)).to.equal(true);
  });

  it('goes on exactly after a writer was killed in the middle of a transaction', async () => {
    const log = await open();
    const elder = await log.openWriter();
    await elder.append({ records: [factOf(daoOf(0), 0)], state: [{ key: 'head', value: 0 }] });
    await leaveOpenTransaction(kafka, subject.prefix, 5);
    // Nobody sees it, neither while it is open nor after.
    expect((await log.ends())[partition]?.end).to.equal(1);
    const younger = await (await open()).openWriter();
    const state = [];
    for await (const entry of younger.state()) state.push(entry);
    expect(state).to.deep.equal([{ key: 'head', value: 0 }]);
    await younger.append({ records: [factOf(daoOf(0), 1)], state: [] });
    const found: number[] = [];
    for await (const { records } of log.scan(partition, 0, 9))
      found.push(...records.map(({ record }) => numberOf(record)));
    expect(found).to.deep.equal([0, 1]);
  });

  it('is read by any consumer: key, JSON value, and the dense offset as a header', async () => {
    const writer = await (await open()).openWriter();
    await writer.append({ records: [factOf(daoOf(0), 7)], state: [] });
    const consumer = kafka.consumer({ groupId: subject.prefix, maxWaitTimeInMs: 100 });
    await consumer.connect();
    await consumer.subscribe({ topic: `${subject.prefix}.records`, fromBeginning: true });
    const messages: { key: string; value: unknown; offset: string }[] = [];
    await consumer.run({
      eachMessage: async ({ message: { key, value, headers } }) => {
        messages.push({
          key: String(key),
          value: JSON.parse(String(value)),
          offset: String(headers?.['offset']),
        });
      },
    });
    await until(() => messages.length > 0);
    await consumer.disconnect();
    expect(messages).to.deep.equal([{ key: daoOf(0), value: factOf(daoOf(0), 7), offset: '0' }]);
  });

  it('tells that the follower is ahead of the log, instead of waiting for ever', async () => {
    const log = await open();
    await log.openWriter();
    const follower = await followLog(log, { checkpoint: () => 7 });
    await until(() => follower.failures.length >= PARTITIONS);
    expect(follower.failures[0]?.error)
      .to.be.instanceOf(FatalError)
      .with.property('code', 'CHECKPOINT_BEYOND_LOG');
  });
});

/** What a writer that is killed leaves: it has the transactional id, and has not committed. */
async function leaveOpenTransaction(kafka: Kafka, prefix: string, records: number): Promise<void> {
  const producer = kafka.producer({
    transactionalId: `${prefix}.indexer`,
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  });
  await producer.connect();
  const transaction = await producer.transaction();
  const messages = numbers(0, records).map((n) => ({
    key: daoOf(0),
    value: JSON.stringify(factOf(daoOf(0), -n)),
    headers: { offset: String(n) },
    partition,
  }));
  await transaction.send({ topic: `${prefix}.state`, messages: [{ key: 'head', value: '"zombie"' }] });
  if (records > 0) await transaction.send({ topic: `${prefix}.records`, messages });
  await producer.disconnect();
}
