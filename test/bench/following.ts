import type { KafkaMessage } from 'kafkajs';
import type { FollowOptions } from '../../shared/event-log/event-log.ts';
import { bareKafka, type OwnLog } from './kafka.ts';

/** As much as the adapter fetches at once. */
const FETCH_BYTES = 4 * 1024 * 1024;
let groups = 0;

/**
 * Follows a log of one partition up to `end`. Resolves with the milliseconds from the assignment of
 * the partition to the end of the last batch: to join a group is left out on both sides.
 */
export async function follow(
  { log }: OwnLog,
  end: number,
  handle: FollowOptions['handle'] = () => Promise.resolve(),
): Promise<number> {
  let start = 0;
  let failed: (error: unknown) => void;
  let ended: (ms: number) => void;
  const took = new Promise<number>((resolve, reject) => {
    [ended, failed] = [resolve, reject];
  });
  const subscription = await log.follow({
    group: `bench-${groups++}`,
    checkpoint: () => {
      start = performance.now();
      return Promise.resolve(0);
    },
    handle: async (batch) => {
      await handle(batch);
      if (batch.to === end) ended(performance.now() - start);
    },
    failed: (_, error) => failed(error),
  });
  try {
    return await took;
  } finally {
    await subscription.stop();
  }
}

/** The same with the driver alone; `handle` is also told how many messages have come so far. */
export async function consume(
  { topics }: OwnLog,
  end: number,
  handle: (messages: KafkaMessage[], consumed: number) => Promise<void>,
): Promise<number> {
  const consumer = (await bareKafka()).consumer({
    groupId: `${topics.records}.bare-${groups++}`,
    maxBytesPerPartition: FETCH_BYTES,
  });
  let start = 0;
  consumer.on(consumer.events.GROUP_JOIN, () => {
    start = performance.now();
  });
  await consumer.connect();
  await consumer.subscribe({ topic: topics.records, fromBeginning: true });
  const took = new Promise<number>((resolve, reject) => {
    let consumed = 0;
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    consumer
      .run({
        autoCommit: false,
        eachBatch: async (payload) => {
          consumed += payload.batch.messages.length;
          await handle(payload.batch.messages, consumed);
          if (consumed === end) resolve(performance.now() - start);
          await payload.heartbeat();
        },
      })
      .catch(reject);
  });
  try {
    return await took;
  } finally {
    await consumer.disconnect();
  }
}
