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
const KNOWN_PARTITIONS = 10_000;

export async function readDaoState(view: ReadView, dao: string): Promise<DaoState> {
  const [document, asOf] = await Promise.all([
    view.get('dao_state', dao),
    view.asOf(knownPartition(dao, view.generation.partitions)),
  ]);
  const headers: string[] = [];
  const state = document && (JSON.parse(document.body.toString()) as { state: string }).state;
  if (state !== undefined) headers.push('X-Dao-State', state);
  if (asOf !== null)
    headers.push('X-Indexed-Seqno', String(asOf.seqno), 'X-Indexed-At', isoSeconds(asOf.time));
  return { served: state !== undefined && SERVED.has(state), headers };
}

const partitions = new Lru<number>(KNOWN_PARTITIONS);

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
