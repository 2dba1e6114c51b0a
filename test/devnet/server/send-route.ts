import type { Router } from '@koa/router';
import type { ChainView } from './chain-view.ts';
import { readJson } from './json-body.ts';
import { readBoc } from './parameters.ts';

/** `POST /send`: an external message, tried on the newest state before the next block takes it. */
export function sendRoute(router: Router, { chain, now }: ChainView): void {
  router.post('/send', async (context) => {
    const { boc } = await readJson(context, 'boc');
    const message = readBoc(boc);
    await chain.check(message, now());
    chain.push(message);
    context.body = { status: 1 };
  });
}
