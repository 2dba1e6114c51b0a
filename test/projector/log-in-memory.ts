import type { LogBatch } from '../../shared/event-log/event-log.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';

/** The records as batches of one partition, cut where `sizes` says (over and over). */
export function* batchesOf(records: LogRecord[], sizes: number[], partition = 0): Generator<LogBatch> {
  for (let from = 0, turn = 0; from < records.length; turn++) {
    const to = Math.min(records.length, from + Math.max(1, sizes[turn % sizes.length] ?? 1));
    const stored = records
      .slice(from, to)
      .map((record, index) => ({ partition, offset: from + index, record }));
    yield {
      partition,
      from,
      to,
      records: stored,
      asOf: to === records.length ? { seqno: 7, time: 9 } : null,
    };
    from = to;
  }
}
