import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import type { FollowOptions, Subscription } from './event-log.ts';
import { EndsReader, type LogEnds } from './kafka-ends.ts';
import { KafkaFetcher } from './kafka-fetcher.ts';
import { FollowedPartition } from './kafka-followed-partition.ts';
import { Membership } from './kafka-membership.ts';
import { PartitionReader } from './kafka-partition.ts';
import type { Topics } from './kafka-topics.ts';

/** How long one look for a newer end waits for it. */
const TAIL_WAIT_MS = 500;
const TAIL_PAUSE_MS = 1000;
const COMMIT_MS = 5000;

export interface FollowerSettings {
  kafka: Kafka;
  topics: Topics;
  partitions: number;
  prefix: string;
  logger: Logger;
  stallMs: number;
  current: () => Promise<LogEnds>;
}

/**
 * Follows the topic `ends`, and reads each partition that the group assigns by a loop of its own: the
 * group protocol says whose a partition is, the checkpoints say where it is read from, and a batch that
 * waits or fails holds up its own partition alone.
 */
export class KafkaFollower implements Subscription {
  private readonly settings: FollowerSettings;
  private readonly options: FollowOptions;
  /** Two sets of connections: the tail's fetches wait, and would keep the others waiting. */
  private readonly tailFetcher: KafkaFetcher;
  private readonly fetcher: KafkaFetcher;
  private readonly tail: EndsReader;
  private readonly membership: Membership;
  private readonly loops = new Map<number, FollowedPartition>();
  /** Partitions that were taken away, until their last batch ends. */
  private readonly ending = new Map<number, Promise<void>>();
  private readonly stopping = new AbortController();
  private heard: LogEnds | null = null;
  private member = '';

  constructor(settings: FollowerSettings, options: FollowOptions) {
    const { kafka, topics, partitions, prefix, logger, stallMs } = settings;
    this.settings = settings;
    this.options = options;
    this.tailFetcher = new KafkaFetcher(kafka);
    this.fetcher = new KafkaFetcher(kafka);
    this.tail = new EndsReader(this.tailFetcher, topics.ends, partitions);
    this.membership = new Membership({
      kafka,
      group: `${prefix}.${options.group}`,
      topic: topics.records,
      logger,
      stallMs,
      assigned: (assigned, member) => this.assigned(assigned, member),
    });
    void this.followTail();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([...[...this.loops.values()].map((loop) => loop.stop()), ...this.ending.values()]);
    // Only now: whoever gets the partitions next begins where the last batch ended.
    await this.membership.stop();
    await Promise.all([this.tailFetcher.close(), this.fetcher.close()]);
  }

  private assigned(partitions: number[], member: string): void {
    if (this.stopping.signal.aborted) return;
    const { group } = this.options;
    const { logger } = this.settings;
    logger.debug({ group, partitions }, 'partitions were assigned');
    for (const [partition, loop] of this.loops) {
      if (member === this.member && partitions.includes(partition)) continue;
      this.loops.delete(partition);
      // What is cached is dropped after the batch in flight, which would cache it again.
      this.ending.set(
        partition,
        loop
          .stop()
          .then(() => this.options.revoked?.(partition))
          .catch((error: unknown) =>
            logger.error({ partition, err: error }, 'a partition was not given up cleanly'),
          ),
      );
    }
    this.member = member;
    for (const partition of partitions) {
      if (!this.loops.has(partition)) this.loops.set(partition, this.follow(partition));
    }
  }

  private follow(partition: number): FollowedPartition {
    const { topics, stallMs, current } = this.settings;
    const reader = new PartitionReader(this.fetcher, topics.records, partition);
    let committed = 0;
    return new FollowedPartition(
      {
        partition,
        follow: this.options,
        reader,
        heard: () => this.heard,
        current,
        handled: () => {
          if (performance.now() - committed < COMMIT_MS) return;
          committed = performance.now();
          // For lag tools alone: where it fails, the next one tells.
          this.membership.commit(partition, reader.kafkaOffset).catch(() => undefined);
        },
        stallMs,
      },
      this.ending.get(partition) ?? Promise.resolve(),
    );
  }

  private async followTail(): Promise<void> {
    const { logger } = this.settings;
    const { signal } = this.stopping;
    let failing = false;
    while (!signal.aborted) {
      try {
        await this.tail.poll(TAIL_WAIT_MS);
        failing = false;
        if (this.heard === this.tail.latest) continue;
        this.heard = this.tail.latest;
        for (const loop of this.loops.values()) loop.wake();
      } catch (error) {
        if (signal.aborted) return;
        if (!failing) logger.error({ err: error }, 'the log cannot be followed until Kafka is there again');
        failing = true;
        await sleep(TAIL_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
