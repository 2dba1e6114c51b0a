import { request as httpRequest } from 'node:http';
import { parseJwtKeys } from '../../api/jwt-keys.ts';
import { issueToken } from '../../api/tokens.ts';
import { DAO } from '../api/story.ts';
import type { RawAnswer } from './processes/raw.ts';

export const KEYS = JSON.stringify([
  { kid: 'bench', alg: 'HS256', secret: 'the secret of the benchmarks alone' },
]);

/** Headers of a caller with a token for the DAO. */
export function caller(): Record<string, string> {
  const { token } = issueToken(parseJwtKeys(KEYS), { dao: DAO, ttlSeconds: 86_400 });
  return { authorization: `Bearer ${token}` };
}

/** A request as it goes over the wire. */
export function requestText(path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n`;
}

const WRITTEN_BY_NODE = new Set(['date', 'connection', 'keep-alive']);

/** One answer, to be sent again by a server that does nothing else. */
export function fetchAnswer(port: number, path: string, headers: Record<string, string>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const { statusCode = 0, rawHeaders } = response;
        resolve({ status: statusCode, headers: ours(rawHeaders), body: Buffer.concat(chunks) });
      });
    });
    request.once('error', reject);
    request.end();
  });
}

function ours(rawHeaders: string[]): string[] {
  return rawHeaders.filter(
    (_, index) => !WRITTEN_BY_NODE.has(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ''),
  );
}

export const daoPath = `/api/v1/daos/${DAO}`;

export function holdersPath(offset: number): string {
  return `${daoPath}/holders?limit=100&offset=${offset}`;
}
