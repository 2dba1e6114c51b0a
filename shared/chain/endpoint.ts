import { setTimeout as pause } from 'node:timers/promises';
import { TonClient4, type TonClient4Parameters } from '@ton/ton';
import pLimit from 'p-limit';
import { RetryableError } from '../errors.ts';

export interface EndpointOptions {
  url: string;
  /** No limit where absent. */
  requestsPerSecond?: number;
  /** Requests in flight; 16 where absent. */
  concurrency?: number;
}

/** One v4 server: a bounded number of requests at a time, spaced by its rate, errors sorted. */
export function createEndpoint(
  options: EndpointOptions & { timeoutMs: number; signal?: AbortSignal | undefined },
) {
  const { signal } = options;
  const client = new TonClient4({
    endpoint: options.url.replace(/\/+$/, ''),
    timeout: options.timeoutMs,
    requestInterceptor: (config) => {
      if (signal) config.signal = signal;
      config.transformResponse = [refuseNotYet];
      return config;
    },
  });
  const limit = pLimit(options.concurrency ?? 16);
  const slot = spacing(options.requestsPerSecond, signal);
  return {
    run: <T>(request: (client: TonClient4) => Promise<T>): Promise<T> =>
      limit(async () => {
        await slot();
        try {
          return await request(client);
        } catch (error) {
          signal?.throwIfAborted();
          throw sorted(error, options.url);
        }
      }),
  };
}

/** Resolves when the next request may start. */
function spacing(perSecond: number | undefined, signal: AbortSignal | undefined): () => Promise<void> {
  let free = 0;
  return async () => {
    signal?.throwIfAborted();
    if (!perSecond) return;
    const now = performance.now();
    const start = Math.max(now, free);
    free = start + 1000 / perSecond;
    if (start > now) await pause(start - now, undefined, signal && { signal });
  };
}

type Transform = Exclude<
  Parameters<NonNullable<TonClient4Parameters['requestInterceptor']>>[0]['transformResponse'],
  undefined | readonly unknown[]
>;

// TonClient4 calls an account at a block that is not there yet a "Mailformed response".
const refuseNotYet = ((body: unknown): unknown => {
  const answer = typeof body === 'string' ? parsed(body) : body;
  if (typeof answer === 'object' && answer !== null && 'exist' in answer && answer.exist === false) {
    throw new RetryableError('NOT_YET', 'The server does not have this block yet.');
  }
  return answer;
}) as Transform;

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

function sorted(error: unknown, url: string): RetryableError {
  if (error instanceof RetryableError) return error;
  if (statusOf(error) === 403) {
    return new RetryableError(
      'BEYOND_HISTORY',
      `${url} does not keep this part of the chain's history; configure an archival endpoint.`,
      error,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new RetryableError('CHAIN_UNAVAILABLE', `${url}: ${reason}`, error);
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('response' in error)) return null;
  const { response } = error;
  if (typeof response !== 'object' || response === null || !('status' in response)) return null;
  return typeof response.status === 'number' ? response.status : null;
}
