import type { KafkaMessage } from 'kafkajs';
import { consume, follow } from '../following.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';
import { storedLog } from '../stored-log.ts';

const ROUNDS = 5;
const RECORDS: Record<Size, number> = { small: 5000, full: 50_000 };

export const kafkaFollow: Row = {
  name: 'kafka-follow',
  ours: 'following the log in Kafka from its beginning',
  reference: 'kafkajs consuming the same messages and parsing their JSON',
  unit: 'records a second by the clock',
  // What is added: the dense offsets, the ends, and batches that are handed over one after the other.
  goal: { atLeast: 0.7 },
  async measure(size) {
    const count = RECORDS[size];
    const log = await storedLog(count);
    const ours = async () => (count * 1000) / (await follow(log, count));
    const reference = async () => (count * 1000) / (await consume(log, count, parse));
    await ours();
    await reference();
    return { ...(await mediansOfRounds(ROUNDS, ours, reference)), note: `${count} records` };
  },
};

function parse(messages: KafkaMessage[]): Promise<void> {
  for (const { value } of messages) JSON.parse(value?.toString() ?? 'null');
  return Promise.resolve();
}
