import { Router } from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { type ListenOptions, listen, type RunningServer } from '../server.ts';
import { History } from './history.ts';
import { metrics } from './metrics.ts';
import { addStatusPage } from './page.ts';
import { readiness } from './readiness.ts';
import { type Snapshot, type StoreStatus, snapshots } from './snapshot.ts';
import { type ProcessParts, statusBody } from './status.ts';
import type { OpsStores } from './stores.ts';

export interface OpsOptions extends ListenOptions, OpsStores, ProcessParts {
  /** Reads how far the log and the read models are. */
  status: () => Promise<StoreStatus>;
  log: Logger;
  /** Milliseconds between two samples of the history; 2000 where absent. */
  sampleMs?: number;
}

/** Half an hour at a sample every two seconds. */
const SAMPLES = 900;

/** The operators' port: not for clients, without authentication, on localhost unless said. */
export async function startOps(options: OpsOptions): Promise<RunningServer> {
  const { log, sampleMs = 2000 } = options;
  const newest = snapshots(options);
  let looking: Promise<Snapshot> | undefined;
  const snapshot = () => (looking = newest());
  const metricsText = metrics(options);
  const history = new History(SAMPLES);
  const router = new Router();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const problems = await readiness(options);
    ctx.status = problems.length === 0 ? 200 : 503;
    ctx.body = problems.length === 0 ? { status: 'ready' } : { status: 'not_ready', problems };
  });
  router.get('/status', async (ctx) => {
    const taken = await snapshot();
    ctx.status = taken.problems.length === 0 ? 200 : 503;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = statusBody(taken, options);
  });
  router.get('/history', (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = history.after(Number(ctx.query['since']) || 0);
  });
  router.get('/metrics', async (ctx) => {
    ctx.set('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    ctx.body = await metricsText(await snapshot());
  });
  addStatusPage(router);

  const app = new Koa();
  app.on('error', (error: unknown) => log.error({ err: error }, 'ops request failed'));
  app.use(router.routes()).use(router.allowedMethods());
  const server = await listen(app, options);
  const sample = async () => history.add(await snapshot());
  const sampling = setInterval(() => void sample(), sampleMs).unref();
  void sample();
  return {
    ...server,
    close: async () => {
      clearInterval(sampling);
      await server.close();
      // Whoever closes the port closes the stores next.
      await looking;
    },
  };
}
