import { expect } from 'chai';
import pino from 'pino';
import { Indexing } from '../../api/ops/indexing.ts';
import { RequestCounts } from '../../api/ops/request-counts.ts';
import { startApi } from '../../api/server.ts';
import { issueToken } from '../../api/tokens.ts';
import type { ChainClient } from '../../shared/chain/chain-client.ts';
import { ApiFixture } from './fixture.ts';
import { OpsFixture } from './ops-fixture.ts';

const DAO = `0:${'da'.repeat(32)}`;
const SECRET = 'mongodb://user:secret@host';

describe('the ops port', () => {
  const ops = new OpsFixture();
  beforeEach(() => Object.assign(ops, new OpsFixture()));
  afterEach(() => ops.server.close());

  it('is healthy as long as it runs, and ready when the API can answer', async () => {
    await ops.start();
    const get = async (path: string) => {
      const { status, text } = await ops.get(path);
      return [status, text];
    };
    expect(await get('/healthz')).to.deep.equal([200, '{"status":"ok"}']);
    expect(await get('/readyz')).to.deep.equal([200, '{"status":"ready"}']);
    ops.store.generation = undefined;
    ops.revocations.failWith = new Error('redis://secret');
    expect(await get('/readyz')).to.deep.equal([
      503,
      '{"status":"not_ready","problems":["no_live_generation","revocation_list_unavailable"]}',
    ]);
    ops.store.failWith = new Error(SECRET);
    expect((await get('/readyz'))[1]).to.contain('read_store_unavailable');
    expect(await get('/healthz')).to.deep.equal([200, '{"status":"ok"}']);
  });

  describe('/status', () => {
    it('tells what the stores hold and what the process knows', async () => {
      const requests = new RequestCounts();
      requests.count('/a', 200, 1);
      requests.count('/a', 503, 2);
      const indexing = new Indexing();
      const chain = { head: () => Promise.resolve({ seqno: 1003, now: 0 }) } as unknown as ChainClient;
      await indexing.watch(chain).head();
      const progress = {
        dao: DAO,
        accounts: { done: 1, known: 2 },
        transactions: { done: 3, known: 4 },
        rate: 5,
        eta: null,
      };
      const seen: boolean[] = [];
      const note = indexing.note(({ ended }) => void seen.push(ended));
      note({ ...progress, ended: false });
      note({ ...progress, dao: 'another', ended: false });
      note({ ...progress, dao: 'another', ended: true });
      expect(seen).to.deep.equal([false, false, true]);
      const indexer = { head: null, daos: [] };
      await ops.start({ requests, indexer: () => indexing.join(indexer) });

      const { status, headers, text } = await ops.get('/status');
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.match(/^application\/json/);
      const body = JSON.parse(text) as Record<string, unknown>;
      expect(body).to.deep.include({ ...ops.status, problems: [] });
      expect(body).to.have.nested.property('process.roles').deep.equal(['index', 'project', 'serve']);
      expect(body['process']).to.include.keys('version', 'uptimeSeconds', 'memoryBytes');
      // The partition that is behind counts.
      expect(body['headLagSeconds']).to.be.at.least(69);
      expect(body['indexer']).to.deep.equal({
        ...indexer,
        seen: 1003,
        backfills: [{ ...progress, ended: false }],
      });
      expect(body['requests']).to.deep.equal({
        total: 2,
        failed: 1,
        routes: [{ route: '/a', count: 2, meanMs: 1.5, byStatus: { 200: 1, 503: 1 } }],
      });
    });

    it('reads the stores once for many viewers', async () => {
      await ops.start();
      await Promise.all(Array.from({ length: 50 }, () => ops.get('/status')));
      expect(ops.statusReads).to.be.lessThan(10);
    });

    const failures: Record<string, [fail: () => void, problems: string[]]> = {
      'the read store': [() => (ops.store.failWith = new Error(SECRET)), ['read_store_unavailable']],
      'the event log': [() => (ops.logFailsWith = new Error(SECRET)), ['event_log_unavailable']],
      'the revocation list': [
        () => (ops.revocations.failWith = new Error(SECRET)),
        ['revocation_list_unavailable'],
      ],
    };
    for (const [name, [fail, problems]] of Object.entries(failures)) {
      it(`names it where ${name} fails, without what the driver said`, async () => {
        fail();
        await ops.start();
        const { status, text } = await ops.get('/status');
        expect(status).to.equal(503);
        expect(JSON.parse(text)).to.deep.include({ problems }).and.to.have.property('process');
        expect(text).not.to.contain('secret');
        expect(ops.log).to.contain('cannot be read');
      });
    }

    it('does not wait for a store that hangs, nor asks it again and again', async () => {
      let open = () => {};
      ops.store.gate = new Promise((resolve) => (open = resolve));
      await ops.start();
      for (let looks = 0; looks < 2; looks++)
        expect(await ops.json('/status')).to.deep.include({ problems: ['read_store_unavailable'] });
      expect(ops.statusReads).to.equal(1);
      open();
    });

    it('says so where the stores answer but the status cannot be read', async () => {
      await ops.start({ status: () => Promise.reject(new Error('a defect')) });
      expect(await ops.json('/status')).to.deep.include({ problems: ['status_unavailable'] });
    });
  });

  it('counts what the API answers, by route and status', async () => {
    const { keys, store, revocations, now } = new ApiFixture();
    const requests = new RequestCounts();
    const log = pino({ level: 'silent' });
    const api = await startApi({
      store: store.asReadStore(),
      revocations,
      keys,
      log,
      requests,
      clock: () => now,
      port: 0,
    });
    const authorization = `Bearer ${issueToken(keys, { dao: DAO, ttlSeconds: 60 }, now).token}`;
    for (const path of [`/api/v1/daos/${DAO}`, '/nowhere'])
      for (const headers of [{ authorization }, {}]) await (await fetch(api.url + path, { headers })).text();
    await api.close();
    await ops.start();
    const counts = [...requests.routes].map(([route, { byStatus }]) => [route, Object.fromEntries(byStatus)]);
    expect(counts).to.deep.equal([
      ['/api/v1/daos/:dao_address', { 401: 1, 404: 1 }],
      ['none', { 404: 2 }],
    ]);
    expect(requests.totals()).to.deep.equal({ total: 4, failed: 0 });
  });
});
