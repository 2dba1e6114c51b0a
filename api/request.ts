import type { Context } from 'koa';
import { RetryableError } from '../shared/errors.ts';
import type { ReadStore, ReadView } from '../shared/read-store/read-store.ts';
import { matchesEtag } from './answer.ts';
import type { Claims } from './claims.ts';
import type { LinkSettings } from './links/settings.ts';
import type { PageCache } from './page-cache.ts';
import type { Query } from './parameters.ts';

/** What requests share. */
export interface Services {
  readonly store: ReadStore;
  readonly pages: PageCache;
  readonly links: LinkSettings;
}

/** The addresses of a path by name, raw. */
export type PathAddresses = Readonly<Record<string, string>>;

/** A request whose token, path addresses and scope are in order. A class, as a closure each would cost a microsecond. */
export class ApiRequest {
  readonly claims: Claims;
  readonly path: PathAddresses;
  /** Unix seconds, the same throughout the request. */
  readonly now: number;
  readonly services: Services;
  readonly #ctx: Context;
  readonly #parseQuery: (querystring: string) => Query;

  constructor(
    ctx: Context,
    claims: Claims,
    path: PathAddresses,
    now: number,
    parseQuery: (querystring: string) => Query,
    services: Services,
  ) {
    this.#ctx = ctx;
    this.claims = claims;
    this.path = path;
    this.now = now;
    this.#parseQuery = parseQuery;
    this.services = services;
  }

  /** Whether If-None-Match names this ETag. */
  matches(etag: string): boolean {
    return matchesEtag(this.#ctx.req.headers['if-none-match'], etag);
  }

  /** Reads from one consistent view of the store; what `read` throws comes through. */
  async view<T extends object>(read: (view: ReadView) => Promise<T>): Promise<T> {
    const result = await this.services.store.view(read);
    if (result !== undefined) return result;
    throw new RetryableError(
      'NO_LIVE_GENERATION',
      'The read store has no live generation yet: start a projector',
    );
  }

  /** Checks the query and gives it: to be called after the DAO is known to match. */
  query(): Query {
    return this.#parseQuery(this.#ctx.querystring);
  }
}
