import { connect, type Socket } from 'node:net';

const CONNECTIONS = 16;
const HEAD_END = Buffer.from('\r\n\r\n');

/** `requests` answered one after the other on each of a few connections that are kept; every status must be `status`. */
export async function load(
  port: number,
  count: number,
  request: (index: number) => string,
  status: number,
): Promise<void> {
  let next = 0;
  const take = () => (next < count ? request(next++) : undefined);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => oneConnection(port, take, status)));
}

/**
 * The same from a process that does not sleep between answers: to wake a client on the same machine is
 * charged to the server that answers, and only a server that its client has to wait for would pay it.
 */
export async function loadAwake(...options: Parameters<typeof load>): Promise<void> {
  let awake = true;
  const again = () => {
    if (awake) setImmediate(again);
  };
  again();
  try {
    await load(...options);
  } finally {
    awake = false;
  }
}

/** Reads no more of an answer than where it ends: the client must not be what is measured. */
function oneConnection(port: number, take: () => string | undefined, status: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    socket.once('error', reject);
    let missing = 0;
    let partial: Buffer | undefined;
    socket.on('data', (chunk) => {
      if (missing > 0) missing -= chunk.length;
      else {
        const head = partial ? Buffer.concat([partial, chunk]) : chunk;
        const end = head.indexOf(HEAD_END);
        partial = end === -1 ? head : undefined;
        if (end === -1) return;
        const text = head.toString('latin1', 0, end);
        if (!text.startsWith(`HTTP/1.1 ${status}`)) {
          reject(new Error(`expected ${status}: ${text}`));
          socket.destroy();
          return;
        }
        missing = contentLength(text) - (head.length - end - HEAD_END.length);
      }
      if (missing === 0) sendNext(socket, take());
    });
    socket.once('close', () => resolve());
    sendNext(socket, take());
  });
}

function sendNext(socket: Socket, request: string | undefined): void {
  if (request === undefined) socket.end();
  else socket.write(request, 'latin1');
}

function contentLength(head: string): number {
  return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
}
