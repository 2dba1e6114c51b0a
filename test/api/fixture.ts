import { generateKeyPairSync } from 'node:crypto';
import { Writable } from 'node:stream';
import jwt from 'jsonwebtoken';
import { pino } from 'pino';
import { parseJwtKeys } from '../../api/jwt-keys.ts';
import type { LinkSettings } from '../../api/links/settings.ts';
import { type RunningServer, startApi } from '../../api/server.ts';
import { issueToken, type TokenRequest } from '../../api/tokens.ts';
import { fillCrowdfunding } from './crowdfunding-story.ts';
import { expectValid, type Received } from './expect-valid.ts';
import { MemoryRevocations, MemoryStore } from './memory-store.ts';
import { address, DAO, fill } from './story.ts';

const NOW = 1_760_000_000;
/** Of every jetton and owner. */
export const JETTON_WALLET = address(0x7a11e7);
export const SECRET = 'a secret of the tests that is long enough';
const pair = { type: 'pkcs8', format: 'pem' } as const;
export const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const EC = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

export const keysText = JSON.stringify([
  { kid: 'h1', alg: 'HS256', secret: SECRET },
  { kid: 'r1', alg: 'RS256', privateKey: RSA.privateKey.export(pair) },
  { kid: 'e1', alg: 'ES256', publicKey: EC.publicKey.export({ type: 'spki', format: 'pem' }) },
]);

/** A running API over a store in memory, with a small DAO in it. */
export class ApiFixture {
  readonly store = new MemoryStore();
  readonly revocations = new MemoryRevocations();
  readonly keys = parseJwtKeys(keysText);
  now = NOW;
  /** May be changed while the API runs. */
  readonly links: LinkSettings = {
    network: 'mainnet',
    resolveJettonWallet: () => Promise.resolve(JETTON_WALLET),
  };
  log = '';
  server!: RunningServer;

  async start(): Promise<void> {
    fill(this.store);
    fillCrowdfunding(this.store);
    const sink = new Writable({
      write: (chunk, _encoding, done) => {
        this.log += String(chunk);
        done();
      },
    });
    this.server = await startApi({
      store: this.store.asReadStore(),
      revocations: this.revocations,
      keys: this.keys,
      clock: () => this.now,
      links: this.links,
      log: pino({ level: 'debug' }, sink),
      port: 0,
    });
  }

  stop(): Promise<void> {
    return this.server.close();
  }

  token(request: Partial<TokenRequest> = {}): string {
    return issueToken(this.keys, { dao: DAO, ttlSeconds: 3600, ...request }, this.now).token;
  }

  /** A token of any content, by the fixture's HS256 key unless said. */
  sign(claims: object, { key = SECRET, ...options }: jwt.SignOptions & { key?: jwt.Secret } = {}): string {
    const payload = { dao_address: DAO, jti: 'j', iat: this.now, exp: this.now + 60, ...claims };
    return jwt.sign(JSON.parse(JSON.stringify(payload)) as object, key, { keyid: 'h1', ...options });
  }

  /** Every answer is checked against the OpenAPI document. `token: null` sends none. */
  async get(
    path: string,
    {
      token = this.token(),
      method = 'GET',
      headers = {},
    }: { token?: string | null; method?: string; headers?: Record<string, string> } = {},
  ): Promise<Received> {
    const url = new URL(this.server.url + path);
    const response = await fetch(url, {
      method,
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    });
    const text = await response.text();
    const received: Received = {
      method,
      // As it was sent: `fetch` resolves `.` and `..`.
      path: url.pathname + url.search,
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
    expectValid(received);
    return received;
  }

  /** The status and the code of an error, as one word each. */
  async error(path: string, options: Parameters<ApiFixture['get']>[1] = {}): Promise<string> {
    const { status, body } = await this.get(path, options);
    return `${status} ${(body as { error?: string }).error}`;
  }
}

export const daoPath = (dao = DAO) => `/api/v1/daos/${dao}`;
export { address, DAO };
