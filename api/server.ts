import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import { FatalError } from '../shared/errors.ts';
import { type ApiOptions, createApp } from './app.ts';
import { type ErrorCode, errorBody, statusOf } from './errors.ts';

/** How long a request in flight may take once the process stops. */
const GRACE_MS = 10_000;

export interface ListenOptions {
  host?: string;
  /** 0: any free one. */
  port: number;
}

export interface RunningServer {
  url: string;
  port: number;
  /** Refuses new connections, finishes what is in flight, then resolves. */
  close(): Promise<void>;
}

/** Serves the API on a socket. */
export function startApi(options: Omit<ApiOptions, 'draining'> & ListenOptions): Promise<RunningServer> {
  let draining = false;
  const app = createApp({ ...options, draining: () => draining });
  return listen(app, { ...options, stopping: () => (draining = true) });
}

/** A server that stops gracefully and answers in JSON also to what is not a request. */
export async function listen(
  app: Koa,
  { host = '127.0.0.1', port, stopping }: ListenOptions & { stopping?: () => void },
): Promise<RunningServer> {
  const callback = app.callback();
  const handle = (req: IncomingMessage, res: ServerResponse) => void callback(req, res);
  // The application checks for Host itself: Node's refusal has no body.
  const server = createServer({ requireHostHeader: false }, handle);
  server.on('checkExpectation', handle);
  server.on('clientError', refuseConnection);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(host, port, error)));
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    close: () => (closed ??= stop(server, stopping)),
  };
}

function cannotListen(host: string, port: number, error: NodeJS.ErrnoException): Error {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error;
  const why = error.code === 'EADDRINUSE' ? 'is in use' : 'is not for this user to open';
  const message = `Port ${port} of ${host} ${why}: set PORT or OPS_PORT to another one, or to 0 for any free one`;
  return new FatalError('PORT_UNAVAILABLE', message, error);
}

async function stop(server: Server, stopping: (() => void) | undefined): Promise<void> {
  stopping?.();
  const deadline = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  // A connection whose answer had gone out before the stop may turn idle after it.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(deadline);
  clearInterval(idle);
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = CODES[error.code ?? ''] ?? 'invalid_request';
  const body = errorBody(code);
  socket.end(
    `HTTP/1.1 ${statusOf(code)} ${code}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.toString()}`,
  );
}
