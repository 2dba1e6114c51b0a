import type { ReadDocument, ReadView } from '../shared/read-store/read-store.ts';
import type { Answer } from './answer.ts';
import { readDaoState } from './dao-state.ts';
import type { Endpoint } from './endpoint.ts';
import { ApiError } from './errors.ts';
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

/** An endpoint under `/daos/{dao_address}`: the token must be for that DAO, one view answers. */
export function daoEndpoint(
  endpoint: Pick<Endpoint, 'path' | 'operation'>,
  read: (dao: DaoRead, request: ApiRequest, query: Query) => Promise<Answer> | Answer,
): Endpoint {
  return {
    ...endpoint,
    scope: 'dao:read',
    answer(request) {
      const dao = ownDao(request);
      const query = request.query();
      return request.view(async (view) => read(await readDao(view, dao), request, query));
    },
  };
}

/** The DAO of the path; refused where the token is for another one. */
export function ownDao({ path, claims }: ApiRequest): string {
  const dao = path['dao_address'];
  if (dao === undefined || dao !== claims.dao) throw new ApiError('forbidden_dao');
  return dao;
}

async function readDao(view: ReadView, dao: string): Promise<DaoRead> {
  const [{ served, headers }, document] = await Promise.all([readDaoState(view, dao), view.get('dao', dao)]);
  return { view, dao, document: served ? document : undefined, headers };
}
