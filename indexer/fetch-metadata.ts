import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { RetryableError } from '../shared/errors.ts';

/** Fetches jetton metadata; rejects where there is none. Never trusts the address that it is given. */
export type MetadataFetcher = (uri: string, signal: AbortSignal) => Promise<Record<string, unknown>>;

const MAX_BYTES = 256 * 1024;
const MAX_MS = 5000;
const MAX_REDIRECTS = 3;

// Refuses private, loopback and link-local addresses after the name was resolved, so that no name
// and no redirect leads into the operator's own network.
const agent = new RequestFilteringHttpsAgent({ keepAlive: false });

/** The JSON object behind an https URI on a public address; 256 KB and 5 seconds at most. */
export const fetchMetadata: MetadataFetcher = async (uri, signal) => {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
  let url = httpsUrl(uri);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await request(url, deadline);
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.destroy();
      url = httpsUrl(headers.location, url);
      continue;
    }
    if (statusCode !== 200) {
      response.destroy();
      throw refused(url, `answered with status ${statusCode}`);
    }
    return jsonObject(url, await bodyOf(url, response));
  }
  throw refused(url, `redirected more than ${MAX_REDIRECTS} times`);
};

function httpsUrl(uri: string, base?: URL): URL {
  if (!URL.canParse(uri, base?.href)) {
    throw new RetryableError('METADATA_REFUSED', `Not a URL: ${uri.slice(0, 200)}`);
  }
  const url = new URL(uri, base);
  if (url.protocol !== 'https:') throw refused(url, 'is not https');
  return url;
}

function request(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
    get(url, { agent, signal, headers }, resolve).on('error', reject);
  });
}

async function bodyOf(url: URL, response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      response.destroy();
      throw refused(url, `is larger than ${MAX_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonObject(url: URL, body: string): Record<string, unknown> {
  const value: unknown = JSON.parse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused(url, 'is no JSON object');
  return value as Record<string, unknown>;
}

function refused(url: URL, reason: string): RetryableError {
  return new RetryableError('METADATA_REFUSED', `${url.href} ${reason}.`);
}
