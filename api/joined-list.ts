import { hash } from 'node:crypto';
import type { ReadView } from '../shared/read-store/read-store.ts';
import { type Answer, etagOf, joinPage } from './answer.ts';
import type { DaoRead } from './dao-endpoint.ts';
import type { ApiRequest } from './request.ts';

/** What is joined to one item of a list: looked at for the ETag, read where the answer is made. */
export interface Join {
  /** Of everything that is joined. */
  versions: readonly string[];
  /** The item as it is answered. What it reads anew it tells the versions of, in the same order. */
  render(): Promise<{ body: Buffer; versions: readonly string[] }>;
}

interface JoinedList {
  list: string;
  offset: number;
  limit: number;
  /** What the answer depends on beside the list, what is joined, the generation and the page. */
  dependsOn?: readonly (string | number)[];
  join: (view: ReadView, item: Buffer) => Promise<Join>;
}

/**
 * A page of a list whose items are joined with lists of their own; empty with total 0 where the DAO
 * is not served. Which lists those are the page alone tells: it is read before the ETag is known.
 */
export async function answerJoinedList(
  { view, document, headers }: DaoRead,
  request: ApiRequest,
  { list, offset, limit, dependsOn = [], join }: JoinedList,
): Promise<Answer> {
  const page =
    document === undefined ? { total: 0, version: '', items: [] } : await view.page(list, offset, limit);
  const tag = (versions: readonly (readonly string[])[]) =>
    etagOf(view.generation.id, page.version, offset, limit, ...dependsOn, digestOf(versions));

  const joins = await Promise.all(page.items.map((item) => join(view, item)));
  const etag = tag(joins.map(({ versions }) => versions));
  if (request.matches(etag)) return { etag, headers, body: null };

  const { pages } = request.services;
  const known = pages.get(list + etag);
  if (known !== undefined) return { etag, headers, body: known };

  const rendered = await Promise.all(joins.map((joined) => joined.render()));
  const body = joinPage(
    page.total,
    rendered.map((item) => item.body),
  );
  // Where a store cannot hold a list still for us, the ETag is that of what was read in the end.
  const read = tag(rendered.map(({ versions }) => versions));
  pages.offer(list + read, body);
  return { etag: read, headers, body };
}

/** There can be thousands of versions: too long for a header. */
function digestOf(versions: readonly (readonly string[])[]): string {
  return versions.length === 0 ? '' : hash('sha256', versions.map(String).join(), 'base64url');
}
