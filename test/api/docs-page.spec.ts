import { expect } from 'chai';
import pino from 'pino';
import { parseJwtKeys } from '../../api/jwt-keys.ts';
import { type RunningServer, startApi } from '../../api/server.ts';
import { MemoryRevocations, MemoryStore } from './memory-store.ts';

describe('/docs: the page to try the API on', () => {
  let api: RunningServer;

  before(async () => {
    const keys = parseJwtKeys(JSON.stringify([{ kid: 'k', alg: 'HS256', secret: 'x'.repeat(32) }]));
    const log = pino({ level: 'silent' });
    const [store, revocations] = [new MemoryStore().asReadStore(), new MemoryRevocations()];
    api = await startApi({ store, revocations, keys, log, port: 0 });
  });

  after(() => api.close());

  it('is served with everything that it loads, from this server alone', async () => {
    const response = await fetch(`${api.url}/docs`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^text\/html/);
    expect(response.headers.get('content-security-policy')).to.contain("default-src 'self'");
    const html = await response.text();
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(loaded).to.have.length(3);
    for (const path of loaded) {
      expect(path).to.match(/^\/docs\//);
      const part = await fetch(api.url + path);
      expect(part.status, path).to.equal(200);
      expect((await part.text()).length, path).to.be.greaterThan(0);
    }
  });

  it('has no other file of the folder that it is served from', async () => {
    for (const path of ['package.json', '../package.json', '..%2Fpackage.json', 'index.html'])
      expect((await fetch(`${api.url}/docs/${path}`)).status, path).to.equal(404);
  });
});
