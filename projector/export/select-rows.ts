import type { ContractKind } from '../../shared/contracts/contract-kind.ts';
import { InvalidInputError } from '../../shared/errors.ts';
import type { EventLog } from '../../shared/event-log/event-log.ts';
import { partitionOf } from '../../shared/event-log/partition.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { type EventRow, quietEvents, rowsOf } from './event-row.ts';

/** Which events are wanted; what is absent or empty does not narrow. */
export interface Selection {
  /** Unix seconds, the first that is wanted. */
  from?: number | undefined;
  /** Unix seconds, the first that is not wanted any more. */
  to?: number | undefined;
  /** Raw addresses. */
  daos?: string[] | undefined;
  kinds?: ContractKind[] | undefined;
  /** Names of events; those named here come, quiet or not. */
  events?: string[] | undefined;
  /** The quiet events too: every record then has a row. */
  all?: boolean | undefined;
}

/** Offsets `[from, to)` of a partition. */
interface Range {
  partition: number;
  from: number;
  to: number;
}

/**
 * The selected rows of the log as it ends now, a batch of records at a time, in the order (partition,
 * offset, index). Throws an InvalidInputError `DAO_NOT_IN_LOG` before the first row where a DAO has no
 * record.
 */
export async function* selectRows(log: EventLog, selection: Selection): AsyncGenerator<EventRow[]> {
  const wantsRecord = recordFilter(selection);
  const wantsRow = rowFilter(selection);
  for (const { partition, from, to } of await rangesOf(log, selection.daos)) {
    for await (const { records } of log.scan(partition, from, to)) {
      const wanted = records.filter(({ record }) => wantsRecord(record));
      yield wanted.flatMap(rowsOf).filter(wantsRow);
    }
  }
}

function recordFilter({ from, to, daos, kinds }: Selection): (record: LogRecord) => boolean {
  const daoSet = setOf(daos);
  const kindSet = setOf<string>(kinds);
  const bounded = from !== undefined || to !== undefined;
  return (record) => {
    if (daoSet && !daoSet.has(record.dao)) return false;
    if (kindSet && !kindSet.has(record.type === 'dao' ? 'dao' : record.kind)) return false;
    if (!bounded) return true;
    return 'now' in record && record.now >= (from ?? 0) && record.now < (to ?? Number.POSITIVE_INFINITY);
  };
}

/** Whether a row is wanted once its record is. */
export function rowFilter({ events, all }: Selection): (row: EventRow) => boolean {
  const named = setOf(events);
  if (named) return ({ event }) => named.has(event);
  return all ? () => true : ({ event }) => !quietEvents.includes(event);
}

async function rangesOf(log: EventLog, daos: string[] | undefined): Promise<Range[]> {
  const ranges = (await log.ends()).map(({ partition, end }) => ({ partition, from: 0, to: end }));
  const wanted = setOf(daos);
  if (!wanted) return ranges;
  const narrowed: Range[] = [];
  for (const range of ranges) {
    const here = [...wanted].filter((dao) => partitionOf(dao, log.partitions) === range.partition);
    if (here.length > 0) narrowed.push({ ...range, from: await firstOffset(log, range, here) });
  }
  return narrowed;
}

/** Where the DAOs, all of one partition, begin in it. */
async function firstOffset(log: EventLog, { partition, from, to }: Range, daos: string[]): Promise<number> {
  const missing = new Set(daos);
  let first: number | undefined;
  for await (const { records } of log.scan(partition, from, to)) {
    for (const { offset, record } of records) if (missing.delete(record.dao)) first ??= offset;
    if (missing.size === 0 && first !== undefined) return first;
  }
  throw new InvalidInputError(
    'DAO_NOT_IN_LOG',
    `Nothing is in the log of ${[...missing].join(' and ')}: check the address, or track it and let the indexer run`,
  );
}

function setOf<T>(items: T[] | undefined): Set<T> | undefined {
  return items && items.length > 0 ? new Set(items) : undefined;
}
