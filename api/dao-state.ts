import type { AsOf } from '../shared/event-log/event-log.ts';
import { partitionOf } from '../shared/event-log/partition.ts';
import type { ReadView } from '../shared/read-store/read-store.ts';
import { isoSeconds } from './iso-seconds.ts';
import { Lru } from './lru.ts';

/** Whether a DAO is served, and what every answer about it says: X-Dao-State, X-Indexed-Seqno, X-Indexed-At. */
export interface DaoState {
  readonly served: boolean;
  readonly headers: readonly string[];
}

const SERVED = new Set(['live', 'degraded']);
const KNOWN_DAOS = 10_000;

export async function readDaoState(view: ReadView, dao: string): Promise<DaoState> {
  const [document, asOf] = await Promise.all([
    view.get('dao_state', dao),
    view.asOf(knownPartition(dao, view.generation.partitions)),
  ]);
  const known = states.get(dao);
  const body = document?.body;
  if (known !== undefined && sameBytes(known.body, body) && sameAsOf(known.asOf, asOf)) return known.state;
  const state = describe(body, asOf);
  states.set(dao, { body, asOf, state });
  return state;
}

/** What was said of a DAO last, and all that it was made of: most requests find both unchanged. */
const states = new Lru<{ body: Buffer | undefined; asOf: AsOf | null; state: DaoState }>(KNOWN_DAOS);

function sameBytes(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

function sameAsOf(a: AsOf | null, b: AsOf | null): boolean {
  return a === b || (a !== null && b !== null && a.seqno === b.seqno && a.time === b.time);
}

function describe(body: Buffer | undefined, asOf: AsOf | null): DaoState {
  const headers: string[] = [];
  const state = body && (JSON.parse(body.toString()) as { state: string }).state;
  if (state !== undefined) headers.push('X-Dao-State', state);
  if (asOf !== null)
    headers.push('X-Indexed-Seqno', String(asOf.seqno), 'X-Indexed-At', isoSeconds(asOf.time));
  return { served: state !== undefined && SERVED.has(state), headers };
}

const partitions = new Lru<number>(KNOWN_DAOS);

/** Partitions are remembered: their hash would be a tenth of the work of endpoint 1. */
function knownPartition(dao: string, count: number): number {
  const key = `${count}/${dao}`;
  let partition = partitions.get(key);
  if (partition === undefined) {
    partition = partitionOf(dao, count);
    partitions.set(key, partition);
  }
  return partition;
}
