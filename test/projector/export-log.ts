import type { EventLog } from '../../shared/event-log/event-log.ts';
import { partitionOf } from '../../shared/event-log/partition.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { batchesOf } from './log-in-memory.ts';

/** A log that can be scanned and nothing else, its batches cut where `sizes` says. */
export function scannableLog(records: LogRecord[], partitions = 1, sizes = [1000]): EventLog {
  const parts = Array.from({ length: partitions }, (_, partition) =>
    records.filter(({ dao }) => partitionOf(dao, partitions) === partition),
  );
  const log: Pick<EventLog, 'partitions' | 'ends' | 'scan'> = {
    partitions,
    ends: async () => parts.map(({ length: end }, partition) => ({ partition, end, asOf: null })),
    async *scan(partition, from, to) {
      for (const batch of batchesOf(parts[partition] ?? [], sizes, partition)) {
        const wanted = batch.records.filter(({ offset }) => offset >= from && offset < to);
        if (wanted.length > 0) yield { ...batch, records: wanted };
      }
    },
  };
  return log as EventLog;
}

export async function collect<T>(items: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const some of items) all.push(...some);
  return all;
}

export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
