import { RetryableError } from '../shared/errors.ts';
import { partitionOf } from '../shared/event-log/partition.ts';
import type { ReadDocument, ReadView } from '../shared/read-store/read-store.ts';
import type { Answer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import { ApiError } from './errors.ts';
import { isoSeconds } from './iso-seconds.ts';
import { Lru } from './lru.ts';
import type { Query } from './parameters.ts';
import type { ApiRequest } from './request.ts';

/** The DAO of the path as one view of the store has it. */
export interface DaoRead {
  readonly view: ReadView;
  /** Raw. */
  readonly dao: string;
  /** Absent where the DAO is not served: unknown, or not yet complete. */
  readonly document: ReadDocument | undefined;
  /** What every answer from this view says about it: X-Dao-State, X-Indexed-Seqno, X-Indexed-At. */
  readonly headers: readonly string[];
}

const SERVED = new Set(['live', 'degraded']);
const KNOWN_PARTITIONS = 10_000;

/** An endpoint under `/daos/{dao_address}`: the token must be for that DAO, one view answers. */
export function daoEndpoint(
  endpoint: Pick<Endpoint, 'path' | 'operation'>,
  read: (dao: DaoRead, request: ApiRequest, query: Query) => Promise<Answer> | Answer,
): Endpoint {
  return {
    ...endpoint,
    scope: 'dao:read',
    async answer(request) {
      const dao = request.path['dao_address'];
      if (dao === undefined || dao !== request.claims.dao) throw new ApiError('forbidden_dao');
      const query = request.query();
      const answer = await request.services.store.view(async (view) =>
        read(await readDao(view, dao), request, query),
      );
      if (answer === undefined) {
        throw new RetryableError(
          'NO_LIVE_GENERATION',
          'The read store has no live generation yet: start a projector',
        );
      }
      return answer;
    },
  };
}

async function readDao(view: ReadView, dao: string): Promise<DaoRead> {
  const [stateDocument, document, asOf] = await Promise.all([
    view.get('dao_state', dao),
    view.get('dao', dao),
    view.asOf(knownPartition(dao, view.generation.partitions)),
  ]);
  const headers: string[] = [];
  const state = stateDocument && (JSON.parse(stateDocument.body.toString()) as { state: string }).state;
  if (state !== undefined) headers.push('X-Dao-State', state);
  if (asOf !== null)
    headers.push('X-Indexed-Seqno', String(asOf.seqno), 'X-Indexed-At', isoSeconds(asOf.time));
  return { view, dao, document: state !== undefined && SERVED.has(state) ? document : undefined, headers };
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
