import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { receiveTask, serve } from './under-test.ts';

/** An answer as it went over the wire, without the headers that Node writes by itself. */
export interface RawAnswer {
  status: number;
  headers: string[];
  body: Uint8Array;
}

const { status, headers, body } = await receiveTask<RawAnswer>();
const bytes = Buffer.from(body);
const server = createServer((_, res) => {
  res.writeHead(status, headers);
  res.end(bytes);
});
server.listen(0, '127.0.0.1', () => serve((server.address() as AddressInfo).port));
