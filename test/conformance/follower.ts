import type { EventLog, LogBatch } from '../../shared/event-log/event-log.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';

/** Follows a log as a projector does, and remembers all. */
export interface Follower {
  all(): LogBatch[];
  batches(partition: number): LogBatch[];
  /** How often `handle` was called for the partition, whether it has ended or not. */
  entered(partition: number): number;
  failures: { partition: number; error: unknown }[];
  stop(): Promise<void>;
}

interface Options {
  group?: string;
  checkpoint?: (partition: number) => number;
  handle?: (batch: LogBatch) => Promise<void> | void;
  maxRecords?: number;
}

export async function followLog(log: EventLog, options: Options = {}): Promise<Follower> {
  const handled: LogBatch[] = [];
  const entered: number[] = [];
  const failures: Follower['failures'] = [];
  const checkpoints = new Map<number, number>();
  const subscription = await log.follow({
    group: options.group ?? 'suite',
    checkpoint: async (partition) => checkpoints.get(partition) ?? options.checkpoint?.(partition) ?? 0,
    async handle(batch) {
      entered.push(batch.partition);
      await options.handle?.(batch);
      handled.push(batch);
      checkpoints.set(batch.partition, batch.to);
    },
    failed: (partition, error) => failures.push({ partition, error }),
    ...(options.maxRecords === undefined ? {} : { maxRecords: options.maxRecords }),
  });
  return {
    all: () => handled,
    batches: (partition) => handled.filter((batch) => batch.partition === partition),
    entered: (partition) => entered.filter((each) => each === partition).length,
    failures,
    stop: () => subscription.stop(),
  };
}

/** The records of a partition that were handed over, in that order. */
export function followed(follower: Follower, partition: number): LogRecord[] {
  return follower.batches(partition).flatMap(({ records }) => records.map(({ record }) => record));
}
