import type { Context } from 'koa';
import { MalformedError } from './parameters.ts';

// A message on TON is at most 64 KB; base64 and JSON around it fit well.
const MAX_BODY = 128 * 1024;

/** The fields of a JSON body, each of which must be there. */
export async function readJson(context: Context, ...fields: string[]): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of context.req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) {
      throw new MalformedError('the message is too large');
    }
    chunks.push(chunk);
  }
  const body = parsed(Buffer.concat(chunks).toString('utf8'));
  const missing = fields.find((field) => !(field in body));
  if (missing !== undefined) {
    throw new MalformedError(`the body has no ${missing}`);
  }
  return body;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) {
      return body as Record<string, unknown>;
    }
  } catch (error) {
    throw new MalformedError('the body is not JSON', { cause: error });
  }
  throw new MalformedError('the body is not an object');
}
