import type { Router } from '@koa/router';
import type { ChainView } from './chain-view.ts';
import { MalformedError, readBoc } from './parameters.ts';

// A message on TON is at most 64 KB; base64 and JSON around it fit well.
const MAX_BODY = 128 * 1024;

/** `POST /send`: an external message, tried on the newest state before the next block takes it. */
export function sendRoute(router: Router, { chain, now }: ChainView): void {
  router.post('/send', async (context) => {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of context.req as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY) {
        throw new MalformedError('the message is too large');
      }
      chunks.push(chunk);
    }
    const message = readBoc(bocOf(Buffer.concat(chunks).toString('utf8')));
    await chain.check(message, now());
    chain.push(message);
    context.body = { status: 1 };
  });
}

function bocOf(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'boc' in body) {
      return body.boc;
    }
  } catch (error) {
    throw new MalformedError('the body is not JSON', { cause: error });
  }
  throw new MalformedError('the body has no boc');
}
