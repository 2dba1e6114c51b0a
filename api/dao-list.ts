import type { ListState } from '../shared/read-store/read-store.ts';
import { type Answer, etagOf, joinPage } from './answer.ts';
import type { DaoRead } from './dao-endpoint.ts';
import type { Query } from './parameters.ts';
import type { ApiRequest } from './request.ts';

interface ListAnswer {
  list: string;
  /** What the answer depends on beside the list itself, its generation and the page asked for. */
  dependsOn?: readonly (string | number)[];
  /** Makes the items of the answer out of those of the list. */
  render?: (items: Buffer[]) => Promise<Buffer[]> | Buffer[];
}

const EMPTY: ListState = { total: 0, version: '' };

/** A page of a list of the DAO; empty with total 0 where the DAO is not served. */
export async function answerList(
  { view, document, headers }: DaoRead,
  request: ApiRequest,
  query: Query,
  { list, dependsOn = [], render = (items) => items }: ListAnswer,
): Promise<Answer> {
  const offset = Number(query['offset']);
  const limit = Number(query['limit']);
  const state = document === undefined ? EMPTY : await view.list(list);
  const etag = etagOf(view.generation.id, state.version, offset, limit, ...dependsOn);
  if (request.matches(etag)) return { etag, headers, body: null };

  const { pages } = request.services;
  const known = pages.get(list + etag);
  if (known !== undefined) return { etag, headers, body: known };

  const page = offset < state.total ? await view.page(list, offset, limit) : { ...state, items: [] };
  const body = joinPage(page.total, await render(page.items));
  // Where a store cannot hold a list still for us, a page that moved gets an ETag that nothing else has.
  if (page.version !== state.version)
    return { etag: etagOf(view.generation.id, page.version, 'moved', etag), headers, body };
  pages.offer(list + etag, body);
  return { etag, headers, body };
}
