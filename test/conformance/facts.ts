import { partitionOf } from '../../shared/event-log/partition.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';

/** Of every log that the suite runs on. */
export const PARTITIONS = 4;

export function daoOf(n: number): string {
  return `0:${n.toString(16).padStart(64, '0')}`;
}

/** A small record that can be told from others by its number. */
export function factOf(dao: string, n: number): LogRecord {
  return {
    version: 1,
    type: 'jetton_metadata',
    kind: 'gp_minter',
    dao,
    account: dao,
    uri: `ipfs://${n}`,
    metadata: { name: 'É 😀' },
  };
}

export function numberOf(record: LogRecord): number {
  return record.type === 'jetton_metadata' ? Number(record.uri.slice('ipfs://'.length)) : Number.NaN;
}

export function inPartition(facts: LogRecord[], partition: number): LogRecord[] {
  return facts.filter(({ dao }) => partitionOf(dao, PARTITIONS) === partition);
}

/** `[from, to)`. */
export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
