import { Router } from '@koa/router';
import { Address } from '@ton/core';
import Koa, { type Middleware } from 'koa';
import { type Block, stateHashOf, zeroState } from '../chain/block.ts';
import { accountRoutes } from './account-routes.ts';
import { type Carry, carryRoute } from './carry-route.ts';
import { type ChainView, visible, visibleBlock } from './chain-view.ts';
import { configBody } from './config-body.ts';
import { answerErrors } from './errors.ts';
import { NotYetError, readNumber } from './parameters.ts';
import { sendRoute } from './send-route.ts';

/**
 * The v4 HTTP API, to the letter that TonClient4 reads. `faults` run before every route: the place
 * where a test delays, drops or falsifies answers.
 */
export function createApp(view: ChainView, faults: Middleware[] = [], carry?: Carry): Koa {
  const app = new Koa();
  const router = new Router();
  const { store } = view;

  router.get('/block/latest', (context) => {
    const head = view.visibleHead();
    if (!head) {
      throw new NotYetError();
    }
    context.body = { last: head.master, init: zeroState, stateRootHash: stateHashOf(head), now: view.now() };
  });
  router.get('/block/utime/:utime', (context) => {
    context.body = blockBody(visible(view, store.blockAtUtime(readNumber(context.params['utime'], 'utime'))));
  });
  router.get('/block/:seqno', (context) => {
    context.body = blockBody(visibleBlock(view, context.params['seqno']));
  });
  router.get(['/block/:seqno/config', '/block/:seqno/config/:ids'], (context) => {
    visibleBlock(view, context.params['seqno']);
    context.body = configBody(context.params['ids']);
  });
  accountRoutes(router, view);
  sendRoute(router, view);
  if (carry) {
    carryRoute(router, carry);
  }

  app.use(answerErrors);
  for (const fault of faults) {
    app.use(fault);
  }
  app.use(router.routes());
  return app;
}

function blockBody({ shard, transactions }: Block) {
  const shown = transactions.map(({ account, lt, hash }) => ({
    account: Address.parseRaw(account).toString({ urlSafe: true, bounceable: true }),
    hash,
    lt,
  }));
  return { exist: true, block: { shards: [{ ...shard, transactions: shown }] } };
}
