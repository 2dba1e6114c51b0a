import type { StoredRecord } from '../shared/event-log/record.ts';
import type { StoredDocument } from '../shared/read-store/read-store.ts';

/** The read model of the records that could not be folded. */
export const DEAD_LETTERS = 'dead_letters';

/** The list of those of a partition, in the order of the log. */
export function deadLettersOf(partition: number): string {
  return `${DEAD_LETTERS}/${partition}`;
}

/**
 * A record that could not be folded, kept with its place in the log and the reason. The record
 * itself stays in the log; records of the same account that follow it are parked behind it.
 */
export function deadLetter({ partition, offset, record }: StoredRecord, error: unknown): StoredDocument {
  const place = `${partition}/${offset}`;
  const sortKey = String(offset).padStart(16, '0');
  const body = {
    partition,
    offset,
    dao: record.dao,
    account: record.account,
    type: record.type,
    ...(record.type === 'transaction' && { kind: record.kind, lt: record.lt, hash: record.hash }),
    error: error instanceof Error ? error.message : String(error),
  };
  return {
    model: DEAD_LETTERS,
    key: place,
    dao: record.dao,
    body: Buffer.from(JSON.stringify(body)),
    state: null,
    entries: [{ list: deadLettersOf(partition), sortKey }],
    offset,
  };
}

/** What is left of a dead letter once a record of its account was folded in its stead, or anew. */
export function settledLetter({ partition, offset, record }: StoredRecord, parked: number): StoredDocument {
  return {
    model: DEAD_LETTERS,
    key: `${partition}/${parked}`,
    dao: record.dao,
    body: null,
    state: null,
    entries: [],
    offset,
  };
}
