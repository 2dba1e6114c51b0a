import { RetryableError } from '../shared/errors.ts';
import { partitionOf } from '../shared/event-log/partition.ts';
import type { ReadDocument, ReadView } from '../shared/read-store/read-store.ts';
import type { Answer } from './answer.ts';
import type { ApiRequest, Endpoint, Query } from './endpoint.ts';
import { ApiError } from './errors.ts';

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

/** An endpoint under `/daos/{dao_address}`: the token must be for that DAO, one view answers. */
export function daoEndpoint(
  endpoint: Pick<Endpoint, 'path' | 'operation'>,
  read: (dao: DaoRead, request: ApiRequest, query: Query) => Promise<Answer>,
): Endpoint {
  return {
    ...endpoint,
    scope: 'dao:read',
    async answer(request) {
      const dao = request.path['dao_address'];
      if (dao === undefined || dao !== request.claims.dao) throw new ApiError('forbidden_dao');
      const query = request.query();
      const answer = await request.store.view(async (view) => read(await readDao(view, dao), request, query));
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
  const [state, document, asOf] = await Promise.all([
    view.get('dao_state', dao),
    view.get('dao', dao),
    view.asOf(partitionOf(dao, view.generation.partitions)),
  ]);
  const headers: string[] = [];
  const name = state && (JSON.parse(state.body.toString()) as { state: string }).state;
  if (name !== undefined) headers.push('X-Dao-State', name);
  if (asOf !== null)
    headers.push('X-Indexed-Seqno', String(asOf.seqno), 'X-Indexed-At', isoSeconds(asOf.time));
  return { view, dao, document: name !== undefined && SERVED.has(name) ? document : undefined, headers };
}

/** Unix seconds as the API writes every time. */
export function isoSeconds(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
