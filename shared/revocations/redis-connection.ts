import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { FatalError, RetryableError } from '../errors.ts';

export interface RedisSettings {
  /** `redis://` or `rediss://`; what it holds of a password stays here. */
  url: string;
  /** What the keys begin with. */
  prefix: string;
  logger: Logger;
}

/** A Redis that has not answered by then would not answer a client of ours in time either. */
const TIMEOUT_MS = 900;
const LONGEST_PAUSE_MS = 250;

/**
 * One connection for everybody in this process. Without Redis a command fails at once instead of
 * waiting for it, and what is on its way when the connection breaks is not sent again: whoever asks
 * gets the error within a second. The connection comes back by itself.
 */
export class RedisConnection {
  readonly client: Redis;
  /** Host and port, for people. */
  readonly place: string;
  private readonly password: string;
  private trouble: string | undefined;

  constructor({ url, logger }: RedisSettings) {
    const { host, password } = parseUrl(url);
    this.place = host;
    this.password = password;
    this.client = new Redis(url, {
      lazyConnect: true,
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: TIMEOUT_MS,
      // A command that never left the process, and a server that accepts but does not answer.
      commandTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      maxLoadingRetryTime: LONGEST_PAUSE_MS,
      retryStrategy: (attempt) => Math.min(attempt * 25, LONGEST_PAUSE_MS),
      // A server that was the primary until a failover.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
    });
    this.client.on('error', (error) => this.broken(this.reason(error), logger));
    this.client.on('close', () => this.broken('the connection was closed', logger));
    this.client.on('ready', () => {
      if (this.trouble !== undefined) logger.info({ redis: this.place }, 'Redis is back');
      this.trouble = undefined;
    });
  }

  /** Resolves once the first attempt is over, whatever came of it. */
  async connect(): Promise<void> {
    await this.client.connect().catch(() => {});
  }

  /** The answer, or a RetryableError that says why there is none. */
  async ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      // Not as the cause: the errors of ioredis carry their command, and that of a login the password.
      throw new RetryableError(
        'REDIS_UNAVAILABLE',
        `Redis at ${this.place} cannot be asked: ${this.trouble ?? this.reason(error)}`,
      );
    }
  }

  async close(): Promise<void> {
    this.client.removeAllListeners('close');
    await this.client.quit().catch(() => this.client.disconnect());
  }

  private broken(reason: string, logger: Logger): void {
    if (this.trouble === undefined) logger.error({ redis: this.place, reason }, 'Redis cannot be asked');
    // Why it could not be reached tells more than that it was left.
    if (this.trouble === undefined || reason !== 'the connection was closed') this.trouble = reason;
  }

  /** Some refusals quote the command that they refuse. */
  private reason(error: unknown): string {
    const { message, code } = error as NodeJS.ErrnoException;
    const reason = message || code || 'no reason given';
    return this.password === '' ? reason : reason.replaceAll(this.password, '[redacted]');
  }
}

function parseUrl(url: string): { host: string; password: string } {
  try {
    const { host, password } = new URL(url);
    return { host, password: decodeURIComponent(password) };
  } catch {
    // Its own error would quote the URL.
    throw new FatalError(
      'REDIS_URL_INVALID',
      'REDIS_URL does not fit: it is redis://[user:password@]host[:port][/database], percent-encoded where needed',
    );
  }
}
