import { Router } from '@koa/router';
import Koa from 'koa';
import { pino } from 'pino';
import { endpoints } from '../../../api/endpoints.ts';
import { createHandler } from '../../../api/handler.ts';
import { parseJwtKeys } from '../../../api/jwt-keys.ts';
import { defaultLinkSettings } from '../../../api/links/settings.ts';
import { observe } from '../../../api/observe.ts';
import { PageCache } from '../../../api/page-cache.ts';
import { listen, startApi } from '../../../api/server.ts';
import { openEmbeddedReadStore } from '../../../shared/read-store/embedded.ts';
import { openEmbeddedRevocationList } from '../../../shared/revocations/embedded.ts';
import { receiveTask, serve } from './under-test.ts';

export interface ApiTask {
  dir: string;
  keys: string;
  /** The DAO of a caller who is let in without token; where absent, every check is made. */
  unchecked?: string;
}

const task = await receiveTask<ApiTask>();
const store = await openEmbeddedReadStore(task.dir);
const log = pino({ level: 'silent' });

if (task.unchecked === undefined) {
  const revocations = await openEmbeddedRevocationList(task.dir);
  const api = await startApi({ store, revocations, keys: parseJwtKeys(task.keys), log, port: 0 });
  serve(api.port);
} else {
  const api = await listen(withoutChecks(task.unchecked), { port: 0 });
  serve(api.port);
}

/** The application of `createApp`, but that it takes everybody's word. */
function withoutChecks(dao: string): Koa {
  const claims = { dao, jti: 'nobody', exp: 2 ** 40, scopes: ['dao:read', 'crowdfunding:links'] as const };
  const app = new Koa();
  const router = new Router({ sensitive: true, strict: true });
  const options = {
    authenticate: () => Promise.resolve(claims),
    clock: () => Math.floor(Date.now() / 1000),
    services: { store, links: defaultLinkSettings, pages: new PageCache(2 ** 26) },
  };
  for (const endpoint of endpoints)
    router.get(endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), createHandler(endpoint, options));
  app.use(observe(log, () => false));
  app.use(router.routes());
  return app;
}
