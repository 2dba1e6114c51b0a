import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import type { Logger } from 'pino';
import type { ReadStore } from '../shared/read-store/read-store.ts';
import type { RevocationList } from '../shared/revocations/revocation-list.ts';
import { etagOf, matchesEtag } from './answer.ts';
import { createAuthenticator } from './auth.ts';
import type { Claims } from './claims.ts';
import type { ApiRequest, Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { ApiError, type ErrorCode, isErrorCode } from './errors.ts';
import type { JwtKeys } from './jwt-keys.ts';
import { Lru } from './lru.ts';
import { observe } from './observe.ts';
import { openApiDocument } from './openapi/document.ts';
import { compileQuery, rawAddress } from './parameters.ts';
import { send, sendAnswer } from './respond.ts';

const PAGE_CACHE_BYTES = 64 * 1024 * 1024;

export interface ApiOptions {
  store: ReadStore;
  revocations: RevocationList;
  keys: JwtKeys;
  log: Logger;
  /** Unix seconds; the machine's clock unless said. */
  clock?: () => number;
  /** Whether the process is stopping: connections are told to close then. */
  draining?: () => boolean;
}

/** The API as a Koa application; `startApi` gives it a socket. */
export function createApp(options: ApiOptions): Koa {
  const app = new Koa();
  const router = new Router({ sensitive: true, strict: true });
  const handle = createHandler(options);
  for (const endpoint of endpoints)
    router.get(endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), handle(endpoint));
  router.get('/openapi.json', serveDocument());

  app.on('error', (error: unknown) => options.log.debug({ err: error }, 'connection error'));
  app.use(observe(options.log, options.draining ?? (() => false)));
  app.use(router.routes());
  app.use(refuse);
  return app;
}

/** The checks in the order that every endpoint has them; those after the scope are the endpoint's own. */
function createHandler({
  store,
  revocations,
  keys,
  clock = () => Math.floor(Date.now() / 1000),
}: ApiOptions): (endpoint: Endpoint) => (ctx: Context) => Promise<void> {
  const authenticate = createAuthenticator({ keys, revocations, clock });
  const pages = new Lru<Buffer>(PAGE_CACHE_BYTES, (page) => page.length);

  return (endpoint) => {
    const parseQuery = compileQuery(endpoint.operation.parameters);
    const parsePath = compilePath(endpoint);
    return async (ctx) => {
      const claims: Claims = await authenticate(ctx);
      const path = parsePath(ctx['params'] as Record<string, string>);
      ctx.state['dao'] = path['dao_address'];
      if (!claims.scopes.includes(endpoint.scope)) throw new ApiError('forbidden_scope');
      const request: ApiRequest = {
        claims,
        path,
        now: clock(),
        matches: (etag) => matchesEtag(ctx.req.headers['if-none-match'], etag),
        query: () => parseQuery(ctx.querystring),
        store,
        pages,
      };
      sendAnswer(ctx, await endpoint.answer(request));
    };
  };
}

/** Every parameter of a path is an address; `{address}` alone is a campaign's. */
function compilePath({ operation }: Endpoint): (params: Record<string, string>) => Record<string, string> {
  const checks = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => ({ name, invalid: `invalid_${name === 'address' ? 'campaign_address' : name}` }));
  for (const { invalid } of checks) {
    if (!isErrorCode(invalid)) throw new TypeError(`api/errors.ts lacks the code ${invalid}`);
  }
  return (params) =>
    Object.fromEntries(
      checks.map(({ name, invalid }) => {
        const raw = rawAddress(params[name] ?? '');
        if (raw === undefined) throw new ApiError(invalid as ErrorCode);
        return [name, raw];
      }),
    );
}

function serveDocument(): (ctx: Context) => void {
  const body = Buffer.from(JSON.stringify(openApiDocument(endpoints), null, 2));
  const etag = etagOf(body.toString());
  return (ctx) => {
    const fresh = matchesEtag(ctx.req.headers['if-none-match'], etag);
    send(ctx, fresh ? 304 : 200, ['ETag', etag, 'Cache-Control', 'no-cache'], fresh ? null : body);
  };
}

/** Reached where no route took the request: its path is unknown, or its method. */
function refuse(ctx: Context): void {
  const matched = ctx['matched'] as unknown[] | undefined;
  throw matched?.length
    ? new ApiError('method_not_allowed', ['Allow', 'GET, HEAD'])
    : new ApiError('not_found');
}
