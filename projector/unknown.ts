import type { ContractKind } from '../shared/contracts/contract-kind.ts';
import { unknownOpcode } from '../shared/contracts/decode-record.ts';
import { readerOf } from '../shared/contracts/registry.ts';
import type { LogRecord } from '../shared/event-log/record.ts';
import type { Tally } from '../shared/read-store/read-store.ts';

/** Something in a record that no contract version reads, by its name in the tally. */
export interface Sighting {
  name: string;
  example: string;
}

/** Strangers can send any opcode: what is told apart has an end, and the rest is counted as one. */
const MOST_NAMES = 200;
export const OTHERS = 'others';

/**
 * What nobody reads in a record: the code of its account, where neither the registry nor a standard
 * reads it in its role, or the opcode of a message that was accepted. Null for a contract that works
 * as it is, such as a TEP-74 jetton of any code.
 */
export function unknownIn(record: LogRecord): Sighting | null {
  if (record.type !== 'account' && record.type !== 'transaction') return null;
  const { kind, codeHash, account } = record;
  if (codeHash === null || (record.type === 'transaction' && !record.success)) return null;
  const example =
    record.type === 'account'
      ? `account ${account}`
      : `transaction ${record.hash} of ${account}, lt ${record.lt}`;
  // Of a code that nobody reads every message is worth knowing: it tells what a new version is to read.
  const opcode = record.type === 'transaction' ? unknownOpcode(record) : null;
  if (opcode === null) return readerOf(kind, codeHash) ? null : { name: `code ${kind} ${codeHash}`, example };
  return { name: `opcode ${kind} ${codeHash} 0x${opcode.toString(16).padStart(8, '0')}`, example };
}

/** The tally with what was sighted in the records that follow, in their order: the first one stays the example. */
export function tallied(tally: Tally, sightings: Sighting[]): Tally {
  if (sightings.length === 0) return tally;
  const sum = { ...tally };
  for (const { name, example } of sightings) {
    const told = name in sum || Object.keys(sum).length < MOST_NAMES ? name : OTHERS;
    const known = sum[told];
    sum[told] = { count: (known?.count ?? 0) + 1, example: known?.example ?? example };
  }
  return sum;
}

/** One name of those that were sighted in some of the records. */
export interface Spotted {
  name: string;
  count: number;
  /** Offset of the first one, which is the example. */
  first: number;
  example: string;
}

/** Counts sightings in the order of their records, no more names than a tally tells apart. */
export class SightingCounts {
  private readonly spotted = new Map<string, Spotted>();

  add({ name, example }: Sighting, offset: number): void {
    const told = this.spotted.has(name) || this.spotted.size < MOST_NAMES ? name : OTHERS;
    const known = this.spotted.get(told);
    if (known) known.count++;
    else this.spotted.set(told, { name: told, count: 1, first: offset, example });
  }

  list(): Spotted[] {
    return [...this.spotted.values()];
  }
}

/** What was counted in parts of the same records, as one tally: as if they had come in their order. */
export function mergedTally(parts: Spotted[][]): Tally {
  const sums = new Map<string, Spotted>();
  const inOrder = parts.flat().sort((a, b) => a.first - b.first);
  for (const each of inOrder) {
    const told =
      each.name !== OTHERS && (sums.has(each.name) || namesIn(sums) < MOST_NAMES) ? each.name : OTHERS;
    const known = sums.get(told);
    if (known) known.count += each.count;
    else sums.set(told, { ...each, name: told });
  }
  return Object.fromEntries([...sums.values()].map(({ name, count, example }) => [name, { count, example }]));
}

function namesIn(sums: ReadonlyMap<string, Spotted>): number {
  return sums.size - (sums.has(OTHERS) ? 1 : 0);
}

/** An entry of the tally as it is shown. */
export interface Unknown {
  what: 'opcode' | 'code';
  /** `others` (without a code hash) for all that is not told apart. */
  kind: ContractKind | typeof OTHERS;
  codeHash: string;
  /** `0x` and 8 hex digits; absent for a code. */
  opcode?: string;
  count: number;
  /** Where it was met first, in words. */
  example: string;
}

/** The tallies of the partitions together, most frequent first. */
export function unknownsOf(tallies: Tally[]): Unknown[] {
  const sums = new Map<string, Tally[string]>();
  for (const [name, { count, example }] of tallies.flatMap((tally) => Object.entries(tally))) {
    const known = sums.get(name);
    sums.set(name, { count: count + (known?.count ?? 0), example: known?.example ?? example });
  }
  return [...sums]
    .map(([name, met]) => ({ ...parseName(name), ...met }))
    .sort((a, b) => b.count - a.count || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function parseName(name: string): Omit<Unknown, 'count' | 'example'> {
  if (name === OTHERS) return { what: 'opcode', kind: OTHERS, codeHash: '' };
  const [what, kind, codeHash, opcode] = name.split(' ') as [Unknown['what'], ContractKind, string, string?];
  return { what, kind, codeHash, ...(opcode !== undefined && { opcode }) };
}
