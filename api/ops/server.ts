import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import type { Logger } from 'pino';
import type { ReadStore } from '../../shared/read-store/read-store.ts';
import type { RevocationList } from '../../shared/revocations/revocation-list.ts';
import { type ListenOptions, listen, type RunningServer } from '../server.ts';
import { readiness } from './readiness.ts';

export interface OpsOptions extends ListenOptions {
  store: ReadStore;
  revocations: RevocationList;
  log: Logger;
  /** More pages by path, as /metrics and /status. */
  pages?: Readonly<Record<string, (ctx: Context) => Promise<void> | void>>;
}

/** The operators' port: not for clients, without authentication, on localhost unless said. */
export function startOps(options: OpsOptions): Promise<RunningServer> {
  const router = new Router();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const problems = await readiness(options);
    ctx.status = problems.length === 0 ? 200 : 503;
    ctx.body = problems.length === 0 ? { status: 'ready' } : { status: 'not_ready', problems };
  });
  for (const [path, page] of Object.entries(options.pages ?? {})) router.get(path, page);

  const app = new Koa();
  app.on('error', (error: unknown) => options.log.error({ err: error }, 'ops request failed'));
  app.use(router.routes()).use(router.allowedMethods());
  return listen(app, options);
}
