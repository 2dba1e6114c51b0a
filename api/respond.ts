import type { Context } from 'koa';
import type { Answer } from './answer.ts';
import { ApiError, errorBody, statusOf } from './errors.ts';

const JSON_HEADERS = ['Content-Type', 'application/json', 'X-Content-Type-Options', 'nosniff'];

/**
 * Writes past Koa's response, which sets headers one by one and looks at the body again: it costs as
 * much as the rest of endpoint 1. Node leaves the body out for HEAD, and keeps its length.
 */
export function send(ctx: Context, status: number, headers: readonly string[], body: Buffer | null): void {
  ctx.respond = false;
  const { res } = ctx;
  const all = ['X-Request-Id', ctx.state['requestId'] as string, ...headers];
  // Asked now, not when the request came: it may have been in flight when the stop began.
  if ((ctx.state['draining'] as () => boolean)()) all.push('Connection', 'close');
  if (body === null) {
    res.writeHead(status, all);
    res.end();
    return;
  }
  all.push(...JSON_HEADERS, 'Content-Length', String(body.length));
  res.writeHead(status, all);
  res.end(body);
}

export function sendAnswer(ctx: Context, { etag, headers, body }: Answer): void {
  const cache = ['ETag', etag, 'Cache-Control', 'private, no-cache', 'Vary', 'Authorization', ...headers];
  send(ctx, body === null ? 304 : 200, cache, body);
}

/** Returns whether the error was a refusal; anything else is for the log. */
export function sendError(ctx: Context, error: unknown): boolean {
  const refused = error instanceof ApiError;
  const code = refused ? error.code : 'internal_error';
  if (!ctx.res.headersSent) {
    send(
      ctx,
      statusOf(code),
      ['Cache-Control', 'no-store', ...(refused ? error.headers : [])],
      errorBody(code),
    );
  }
  return refused;
}
