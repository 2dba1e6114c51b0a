import { connect } from 'node:net';

/** What comes back for these bytes until the server closes the connection. */
export function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', () => resolve(received));
    socket.on('close', () => resolve(received));
  });
}
