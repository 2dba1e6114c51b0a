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

interface PageRequest {
  list: string;
  offset: number;
  limit: number;
  render: ListAnswer['render'] | undefined;
}

const EMPTY: ListState = { total: 0, version: '' };

/** A page of a list of the DAO; empty with total 0 where the DAO is not served. */
export async function answerList(
  { view, document, headers }: DaoRead,
  request: ApiRequest,
  query: Query,
  { list, dependsOn = [], render }: ListAnswer,
): Promise<Answer> {
  const offset = Number(query['offset']);
  const limit = Number(query['limit']);
  const state = document === undefined ? EMPTY : await view.list(list);
  const etag = etagOf(view.generation.id, state.version, offset, limit, ...dependsOn);
  if (request.matches(etag)) return { etag, headers, body: null };

  const { pages } = request.services;
  const known = pages.get(list + etag);
  if (known !== undefined) return { etag, headers, body: known };

  const page = await read(view, state, { list, offset, limit, render });
  const body = joinPage(page.total, page.parts);
  // Where a store cannot hold a list still for us, a page that moved gets an ETag that nothing else has.
  if (page.version !== state.version)
    return { etag: etagOf(view.generation.id, page.version, 'moved', etag), headers, body };
  pages.offer(list + etag, body);
  return { etag, headers, body };
}

/** What the answer is joined of: items, each as it is to be shown, or runs of them as they are. */
async function read(
  view: DaoRead['view'],
  state: ListState,
  { list, offset, limit, render }: PageRequest,
): Promise<ListState & { parts: readonly Buffer[] }> {
  if (offset >= state.total) return { ...state, parts: [] };
  if (!render) {
    const { runs, ...moved } = await view.joined(list, offset, limit);
    return { ...moved, parts: runs };
  }
  const { items, ...moved } = await view.page(list, offset, limit);
  return { ...moved, parts: await render(items) };
}
