import type { StoredRecord } from '../shared/event-log/record.ts';
import type { StoredDocument } from '../shared/read-store/read-store.ts';
import { dumpRecord } from './record-dump.ts';

/** The read model of the records that could not be folded. */
export const DEAD_LETTERS = 'dead_letters';

/** As operators read it. */
export interface DeadLetter {
  partition: number;
  offset: number;
  dao: string;
  account: string;
  type: string;
  /** Of a transaction. */
  kind?: string;
  lt?: string;
  hash?: string;
  error: string;
  /** The frames nearest to the error; empty for a record that only waits for another one. */
  stack: string[];
  /** The record in lines for people. */
  dump: string;
}

const MOST_FRAMES = 5;

/** The list of those of a partition, in the order of the log. */
export function deadLettersOf(partition: number): string {
  return `${DEAD_LETTERS}/${partition}`;
}

/** A record of an account of which an earlier one is parked. */
export class WaitsForRecord extends Error {
  constructor(offset: number) {
    super(`waits for the record at offset ${offset}`);
  }
}

/**
 * A record that could not be folded, kept with its place in the log and the reason. The record
 * itself stays in the log; records of the same account that follow it are parked behind it.
 */
export function deadLetter({ partition, offset, record }: StoredRecord, error: unknown): StoredDocument {
  const body: DeadLetter = {
    partition,
    offset,
    dao: record.dao,
    account: record.account,
    type: record.type,
    ...(record.type === 'transaction' && { kind: record.kind, lt: record.lt, hash: record.hash }),
    error: messageOf(error),
    stack: error instanceof WaitsForRecord ? [] : framesOf(error),
    dump: dumpRecord(record),
  };
  return {
    model: DEAD_LETTERS,
    key: `${partition}/${offset}`,
    dao: record.dao,
    body: Buffer.from(JSON.stringify(body)),
    state: null,
    entries: [{ list: deadLettersOf(partition), sortKey: String(offset).padStart(16, '0') }],
    offset,
  };
}

/** What is left of a dead letter once it, or a later record that does not need it, was folded. */
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

/** Why a record could not be folded, in one line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Down to where folds are called, which is the same for every record and for everybody who folds. */
function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
  const called = frames.findIndex((frame) => frame.includes('fold-accounts'));
  return frames.slice(0, Math.min(called < 0 ? MOST_FRAMES : called, MOST_FRAMES));
}
