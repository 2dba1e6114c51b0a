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

/** How often a name was sighted in some of the records, offset of the first time, and its example. */
export type Spotted = [name: string, count: number, first: number, example: string];

/** Counts sightings of records that are folded apart from others, in their order. */
export class SightingCounts {
  private spotted = new Map<string, Spotted>();

  /** Names that were met; strangers can make them many. */
  get size(): number {
    return this.spotted.size;
  }

  add({ name, example }: Sighting, offset: number): void {
    const known = this.spotted.get(name);
    if (known) known[1]++;
    else this.spotted.set(name, [name, 1, offset, example]);
  }

  /** By name; nothing is left. */
  take(): Spotted[] {
    const taken = [...this.spotted.values()].sort(([a], [b]) => (a < b ? -1 : 1));
    this.spotted = new Map();
    return taken;
  }
}

/** The tally as if all records had been counted in their order, from what was counted of each name. */
export function mergedTally(names: Iterable<Spotted[]>): Tally {
  let told: Spotted[] = [];
  let others: Spotted | undefined;
  for (const counts of names) {
    told.push(counts.reduce(sumOf));
    if (told.length <= 2 * MOST_NAMES) continue;
    [told, others] = firstOf(told, others);
  }
  [told, others] = firstOf(told, others);
  const shown = others ? [...told, others] : told;
  return Object.fromEntries(shown.map(([name, count, , example]) => [name, { count, example }]));
}

/** Those that came first keep their names, the rest is counted as one. */
function firstOf(
  names: Spotted[],
  others: Spotted | undefined,
): [told: Spotted[], others: Spotted | undefined] {
  const inOrder = names.sort(([, , a], [, , b]) => a - b);
  const rest = inOrder.slice(MOST_NAMES).map(([, ...counted]): Spotted => [OTHERS, ...counted]);
  if (others) rest.push(others);
  return [inOrder.slice(0, MOST_NAMES), rest.length === 0 ? undefined : rest.reduce(sumOf)];
}

function sumOf(a: Spotted, b: Spotted): Spotted {
  const [name, , first, example] = a[2] < b[2] ? a : b;
  return [name, a[1] + b[1], first, example];
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
