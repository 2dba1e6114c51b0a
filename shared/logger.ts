import pino, { type Logger } from 'pino';

/** Where a secret could stand in what is logged. */
const secrets = ['authorization', 'token', 'secret', 'privateKey', 'mnemonic', 'JWT_KEYS'];

/** JSON lines on standard error, so that standard output is free for what a command answers. */
export function createLogger(level: string): Logger {
  const paths = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers.${name}`]);
  return pino({ level, redact: { paths, censor: '[redacted]' } }, pino.destination({ fd: 2, sync: true }));
}
