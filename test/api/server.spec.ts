import { connect } from 'node:net';
import { expect } from 'chai';
import { exchange } from './exchange.ts';
import { ApiFixture, daoPath } from './fixture.ts';

describe('the server', () => {
  const api = new ApiFixture();
  beforeEach(async () => {
    Object.assign(api, new ApiFixture());
    await api.start();
  });
  afterEach(() => api.stop());

  it('finishes what is in flight, refuses what is new, and lets keep-alive connections go', async () => {
    let open = () => {};
    await api.get(daoPath());
    api.store.gate = new Promise((resolve) => (open = resolve));
    const inFlight = [api.get(daoPath()), api.get(`${daoPath()}/holders`)];
    await new Promise((resolve) => setTimeout(resolve, 100));

    const closed = api.stop();
    const refused = await exchange(api.server.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(refused).to.equal('');
    open();
    for (const { status, headers } of await Promise.all(inFlight)) {
      expect([status, headers.get('connection')]).to.deep.equal([200, 'close']);
    }
    await closed;
    expect(await api.stop()).to.equal(undefined);
  });

  const answers: Record<string, [bytes: string, answer: RegExp]> = {
    'no HTTP': ['\x16\x03\x01\x02\x00\x01\r\n\r\n', /^HTTP\/1\.1 400 .*\{"error":"invalid_request"\}$/s],
    'no Host': ['GET / HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 .*\{"error":"invalid_request"\}$/s],
    'HTTP/1.0 without Host': ['GET / HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 404 .*\{"error":"not_found"\}$/s],
    'headers without end': [
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`,
      /^HTTP\/1\.1 431 .*\{"error":"headers_too_large"\}$/s,
    ],
    'a URL that is none': [
      'GET http://[/ HTTP/1.1\r\nHost: x\r\n\r\n',
      /^HTTP\/1\.1 400 .*\{"error":"invalid_request"\}$/s,
    ],
    'an absolute URL': [
      'GET http://x/y HTTP/1.1\r\nHost: x\r\n\r\n',
      /^HTTP\/1\.1 404 .*\{"error":"not_found"\}$/s,
    ],
    'a query alone': [
      'GET ?x HTTP/1.1\r\nHost: x\r\n\r\n',
      /^HTTP\/1\.1 400 .*\{"error":"invalid_request"\}$/s,
    ],
    'OPTIONS *': ['OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 404 .*\{"error":"not_found"\}$/s],
    'an unknown expectation': [
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n',
      /^HTTP\/1\.1 404 .*\{"error":"not_found"\}$/s,
    ],
    'an upgrade': [
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      /^HTTP\/1\.1 404 .*\{"error":"not_found"\}$/s,
    ],
  };
  for (const [name, [bytes, answer]] of Object.entries(answers)) {
    it(`answers in JSON: ${name}`, async () =>
      expect(await exchange(api.server.port, bytes)).to.match(answer));
  }

  it('keeps serving after a client went away in the middle', async () => {
    let open = () => {};
    api.store.gate = new Promise((resolve) => (open = resolve));
    const socket = connect(api.server.port, '127.0.0.1');
    socket.write(`GET ${daoPath()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.token()}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    open();
    expect((await api.get(daoPath())).status).to.equal(200);
  });

  it('logs each request, with an error under the id that the client has', async () => {
    api.log = '';
    await api.get(daoPath());
    api.store.failWith = new Error('disk on fire');
    await api.get(`${daoPath()}/holders?limit=1`, { headers: { 'x-request-id': 'find-me' } });
    const lines = api.log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).to.include({ method: 'GET', path: daoPath(), status: 200, msg: 'request' });
    expect(lines[0]).to.have.property('dao', daoPath().slice(13));
    expect(lines[1])
      .to.include({ id: 'find-me', level: 50 })
      .and.have.nested.property('err.message', 'disk on fire');
    expect(lines[2]).to.include({ id: 'find-me', path: `${daoPath()}/holders`, status: 500 });
  });
});
