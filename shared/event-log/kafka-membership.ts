import type { Consumer, Kafka } from 'kafkajs';
import type { Logger } from 'pino';

const SESSION_MS = 15_000;
const HEARTBEAT_MS = 1000;
const REBALANCE_MS = 30_000;
/** How often kafkajs looks whether a heartbeat is due, or it is to stop. */
const TICK_MS = 200;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

export interface MembershipOptions {
  kafka: Kafka;
  group: string;
  /** The topic whose partitions the members share. */
  topic: string;
  logger: Logger;
  /** Without a heartbeat for so long, the member is made anew. */
  stallMs: number;
  /** Told with each assignment; `member` changes where others may have had the partitions in between. */
  assigned: (partitions: number[], member: string) => void;
}

/**
 * Takes part in a consumer group for its assignment alone: kafkajs joins, beats and leaves, but every
 * partition stays paused, since it cannot fail or wait in one partition without the others. Whatever
 * ends the driver's loop, a new member takes its place, until `stop`.
 */
export class Membership {
  private readonly options: MembershipOptions;
  private readonly watchdog: NodeJS.Timeout;
  private consumer: Consumer | null = null;
  private starting: Promise<void> = Promise.resolve();
  private restart: NodeJS.Timeout | null = null;
  private pause = FIRST_PAUSE_MS;
  private lastSign = performance.now();
  private stopped = false;

  constructor(options: MembershipOptions) {
    this.options = options;
    this.watchdog = setInterval(() => this.watch(), Math.min(options.stallMs, 5000) / 2);
    this.starting = this.start();
  }

  /** Leaves the group, so that others get its partitions at once. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.watchdog);
    if (this.restart) clearTimeout(this.restart);
    await this.starting;
    const consumer = this.consumer;
    this.consumer = null;
    await consumer?.disconnect().catch(() => undefined);
  }

  /** Tells the broker how far a partition is, for tools that show the lag; nothing depends on it. */
  async commit(partition: number, offset: number): Promise<void> {
    const { topic } = this.options;
    await this.consumer?.commitOffsets([{ topic, partition, offset: String(offset) }]);
  }

  private async start(): Promise<void> {
    const { kafka, group, topic, assigned } = this.options;
    const consumer = kafka.consumer({
      groupId: group,
      sessionTimeout: SESSION_MS,
      heartbeatInterval: HEARTBEAT_MS,
      rebalanceTimeout: REBALANCE_MS,
      maxWaitTimeInMs: TICK_MS,
      allowAutoTopicCreation: false,
      // A consumer that restarts itself would not be paused any more.
      retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 5, restartOnFailure: async () => false },
    });
    this.consumer = consumer;
    this.lastSign = performance.now();
    const sign = () => {
      this.lastSign = performance.now();
      this.pause = FIRST_PAUSE_MS;
    };
    consumer.on(consumer.events.HEARTBEAT, sign);
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      sign();
      if (consumer === this.consumer) assigned(payload.memberAssignment[topic] ?? [], payload.memberId);
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => this.replace(consumer, payload.error));
    try {
      await consumer.connect();
      await consumer.subscribe({ topic });
      const running = consumer.run({ autoCommit: false, eachBatch: async () => undefined });
      consumer.pause([{ topic }]);
      await running;
      // It was given up while it was still joining.
      if (consumer !== this.consumer) await consumer.disconnect();
    } catch (error) {
      this.replace(consumer, error);
    }
  }

  private watch(): void {
    const silent = performance.now() - this.lastSign;
    if (this.consumer && silent > this.options.stallMs)
      this.replace(this.consumer, new Error(`no heartbeat for ${Math.round(silent)} ms`));
  }

  private replace(consumer: Consumer, error: unknown): void {
    if (this.stopped || consumer !== this.consumer) return;
    const { logger, group } = this.options;
    logger.warn({ group, err: error, retryInMs: this.pause }, 'lost the consumer group and joins it again');
    this.consumer = null;
    consumer.disconnect().catch(() => undefined);
    this.restart = setTimeout(() => {
      this.starting = this.start();
    }, this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE_MS);
  }
}
