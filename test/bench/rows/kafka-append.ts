import type { TopicMessages } from 'kafkajs';
import type { AppendBatch } from '../../../shared/event-log/event-log.ts';
import { endsMessage } from '../../../shared/event-log/kafka-ends.ts';
import { recordMessage, stateMessage } from '../../../shared/event-log/kafka-record.ts';
import type { Topics } from '../../../shared/event-log/kafka-topics.ts';
import { appendsOf } from '../appends.ts';
import { bareKafka, ownLog } from '../kafka.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';

const ROUNDS = 5;
const RECORDS: Record<Size, number> = { small: 2000, full: 10_000 };

export const kafkaAppend: Row = {
  name: 'kafka-append',
  ours: 'appending records to the log in Kafka, 500 and their state at once, until readers are shown them',
  reference: 'kafkajs: the same messages in transactions of the same size',
  unit: 'records a second by the clock',
  // What is added: JSON, and one fetch that waits until the transaction is shown to readers.
  goal: { atLeast: 0.8 },
  async measure(size) {
    const count = RECORDS[size];
    const appends = appendsOf(count);
    const writer = await (await ownLog('append')).log.openWriter();
    const { topics } = await ownLog('bare-append');
    const transactions = messagesOf(topics, appends);
    const producer = await bareProducer(topics.records);
    const rate = async (work: () => Promise<void>) => {
      const start = performance.now();
      await work();
      return (count * 1000) / (performance.now() - start);
    };
    const ours = () =>
      rate(async () => {
        for (const append of appends) await writer.append(append);
      });
    const reference = () =>
      rate(async () => {
        for (const topicMessages of transactions) {
          const transaction = await producer.transaction();
          await transaction.sendBatch({ topicMessages });
          await transaction.commit();
        }
      });
    try {
      await ours();
      await reference();
      const rates = await mediansOfRounds(ROUNDS, ours, reference);
      return {
        ...rates,
        note: `${count} records, ${Math.round(bytesOf(transactions) / count)} bytes each with state`,
      };
    } finally {
      await producer.disconnect();
      await writer.close();
    }
  },
};

async function bareProducer(transactionalId: string) {
  const producer = (await bareKafka()).producer({
    transactionalId,
    idempotent: true,
    maxInFlightRequests: 1,
    // The adapter's: with the driver's own a transaction right after another one waits 300 ms.
    retry: { initialRetryTime: 5, maxRetryTime: 1000, retries: 10 },
  });
  await producer.connect();
  return producer;
}

/** Encoded before anything is measured, by what the adapter itself encodes with. */
function messagesOf(topics: Topics, appends: AppendBatch[]): TopicMessages[][] {
  let end = 0;
  return appends.map(({ records, state, asOf = null }, n) => {
    const messages = records.map((record) => ({
      ...recordMessage(topics.records, record, 1).message,
      headers: { offset: String(end++) },
    }));
    const hint = { end, dense: end - records.length, kafka: end + n };
    const ends = { writer: crypto.randomUUID(), appends: n, asOf, partitions: [hint] };
    return [
      { topic: topics.records, messages },
      {
        topic: topics.state,
        messages: state.map(({ key, value }) => stateMessage(topics.state, key, value).message),
      },
      { topic: topics.ends, messages: [endsMessage(topics.ends, ends).message] },
    ];
  });
}

function bytesOf(transactions: TopicMessages[][]): number {
  const values = transactions.flat().flatMap(({ messages }) => messages.map(({ value }) => value));
  return values.reduce((sum, value) => sum + Buffer.byteLength(value ?? ''), 0);
}
