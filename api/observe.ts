import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';
import type { Logger } from 'pino';
import { ApiError } from './errors.ts';
import type { RequestCounts } from './ops/request-counts.ts';
import { sendError } from './respond.ts';

const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const LOGGED_PATH = 300;
/** Somebody may put a token into the path, where it does not belong. */
const TOKEN = /eyJ[\w-]*\.[\w-]*\.[\w-]*/g;

/** Where an error of a library might carry the headers of a request. */
const SECRETS = ['authorization', 'headers', 'token'].flatMap((name) => [`err.${name}`, `err.*.${name}`]);

/** The outermost middleware: names the request, answers what was thrown, counts it, logs one line. */
export function observe(
  log: Logger,
  draining: () => boolean,
  requests?: RequestCounts,
): (ctx: Context, next: Next) => Promise<void> {
  // Redaction costs microseconds a line: the lines of requests hold fixed fields, none of them secret.
  const failures = log.child({}, { redact: { paths: SECRETS, censor: '[redacted]' } });

  return async (ctx, next) => {
    const started = performance.now();
    const given = ctx.req.headers['x-request-id'];
    ctx.state['requestId'] = typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
    ctx.state['draining'] = draining;
    try {
      checkRequest(ctx);
      await next();
    } catch (error) {
      const refused = sendError(ctx, error);
      const id = ctx.state['requestId'] as string;
      if (!refused) failures.error({ id, err: error }, 'request failed');
      else if (error instanceof ApiError && error.cause !== undefined)
        failures.warn({ id, err: error.cause }, error.code);
    }
    const ms = performance.now() - started;
    requests?.count(ctx['_matchedRoute'] as string | undefined, ctx.res.statusCode, ms);
    if (log.isLevelEnabled('info')) log.info(describe(ctx, ms), 'request');
  };
}

/** What Node would refuse without a body, or koa could not read. */
function checkRequest(ctx: Context): void {
  if (ctx.req.headers.host === undefined && ctx.req.httpVersion !== '1.0')
    throw new ApiError('invalid_request');
  if (pathOf(ctx) === undefined) throw new ApiError('invalid_request');
}

function pathOf(ctx: Context): string | undefined {
  try {
    // Reading it parses an absolute URL, which throws where that is malformed.
    return ctx.path;
  } catch {
    return undefined;
  }
}

function describe(ctx: Context, ms: number): object {
  return {
    id: ctx.state['requestId'] as string,
    method: ctx.method,
    path: (pathOf(ctx) ?? '').slice(0, LOGGED_PATH).replaceAll(TOKEN, '[redacted]'),
    status: ctx.res.statusCode,
    ms: Math.round(ms * 100) / 100,
    dao: ctx.state['dao'] as string | undefined,
  };
}
