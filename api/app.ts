import { hash } from 'node:crypto';
import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import type { Logger } from 'pino';
import type { ReadStore } from '../shared/read-store/read-store.ts';
import type { RevocationList } from '../shared/revocations/revocation-list.ts';
import { etagOf, matchesEtag } from './answer.ts';
import { createAuthenticator } from './auth.ts';
import { addDocsPage } from './docs-page.ts';
import { endpoints } from './endpoints.ts';
import { ApiError } from './errors.ts';
import { createHandler } from './handler.ts';
import type { JwtKeys } from './jwt-keys.ts';
import { defaultLinkSettings, type LinkSettings } from './links/settings.ts';
import { observe } from './observe.ts';
import { openApiDocument } from './openapi/document.ts';
import type { RequestCounts } from './ops/request-counts.ts';
import { PageCache } from './page-cache.ts';
import { send } from './respond.ts';

const PAGE_CACHE_BYTES = 64 * 1024 * 1024;

export interface ApiOptions {
  store: ReadStore;
  revocations: RevocationList;
  keys: JwtKeys;
  log: Logger;
  /** How links are written, and who knows jetton wallets; where absent, nobody does. */
  links?: LinkSettings;
  /** Where requests are counted. */
  requests?: RequestCounts;
  /** Unix seconds; the machine's clock unless said. */
  clock?: () => number;
  /** Whether the process is stopping: connections are told to close then. */
  draining?: () => boolean;
}

function systemClock(): number {
  return Math.floor(Date.now() / 1000);
}

/** The API as a Koa application; `startApi` gives it a socket. */
export function createApp(options: ApiOptions): Koa {
  const app = new Koa();
  const router = new Router({ sensitive: true, strict: true });
  const { store, revocations, keys, log, clock = systemClock, draining = () => false } = options;
  const { links = defaultLinkSettings } = options;
  const handler = {
    authenticate: createAuthenticator({ keys, revocations, clock }),
    clock,
    services: { store, links, pages: new PageCache(PAGE_CACHE_BYTES) },
  };
  for (const endpoint of endpoints) {
    router.get(endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), createHandler(endpoint, handler));
  }
  router.get('/openapi.json', serveDocument());
  addDocsPage(router);

  app.on('error', (error: unknown) => log.debug({ err: error }, 'connection error'));
  app.use(observe(log, draining, options.requests));
  app.use(router.routes());
  app.use(refuse);
  return app;
}

function serveDocument(): (ctx: Context) => void {
  const body = Buffer.from(JSON.stringify(openApiDocument(endpoints), null, 2));
  const etag = etagOf(hash('sha256', body, 'base64url'));
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
