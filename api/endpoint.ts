import type { ReadStore } from '../shared/read-store/read-store.ts';
import type { Answer } from './answer.ts';
import type { Claims, Scope } from './claims.ts';
import type { Lru } from './lru.ts';
import type { Operation } from './openapi/operation.ts';

/** Values of the query by name: integers as numbers, addresses raw, absent without value or default. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** A request whose token, path addresses and scope are in order. */
export interface ApiRequest {
  readonly claims: Claims;
  /** The addresses of the path by name, raw. */
  readonly path: Readonly<Record<string, string>>;
  /** Unix seconds, the same throughout the request. */
  readonly now: number;
  /** Whether If-None-Match names this ETag. */
  matches(etag: string): boolean;
  /** Checks the query and gives it; to be called after the DAO is known to match. */
  query(): Query;
  readonly store: ReadStore;
  /** Joined pages by their ETag. */
  readonly pages: Lru<Buffer>;
}

/** One endpoint: a file in `routes/`, a line in `endpoints.ts`. */
export interface Endpoint {
  /** With parameters in braces, as OpenAPI has it. */
  path: string;
  scope: Scope;
  operation: Operation;
  answer(request: ApiRequest): Promise<Answer>;
}
