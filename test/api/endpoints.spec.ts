import { Address } from '@ton/core';
import { expect } from 'chai';
import { ApiFixture, address, DAO, daoPath } from './fixture.ts';
import { daoBody, descending, expiryOf, HOLDERS, iso, OTHER_DAO, proposalBody, VOTER } from './story.ts';

interface List {
  total: number;
  items: Record<string, unknown>[];
}

describe('endpoints 1 to 4', () => {
  const api = new ApiFixture();
  beforeEach(async () => {
    Object.assign(api, new ApiFixture());
    await api.start();
  });
  afterEach(() => api.stop());

  const list = async (path: string, options = {}) => (await api.get(daoPath() + path, options)).body as List;
  const votesOf = (proposal: string) => `/proposals/${proposal}/votes`;
  const pages = ['/holders', '/proposals', votesOf(address(0x905))];

  it('1: the DAO, byte for byte as it is stored', async () => {
    const { status, text } = await api.get(daoPath());
    expect(status).to.equal(200);
    expect(text).to.equal(JSON.stringify(daoBody));
  });

  it('1: dao_not_found for a DAO that nobody knows or that is not complete', async () => {
    const token = api.token({ dao: OTHER_DAO });
    expect(await api.error(daoPath(OTHER_DAO), { token })).to.equal('404 dao_not_found');
    for (const state of ['backfilling', 'untracked']) {
      api.store.put('dao_state', DAO, { state });
      const { status, body, headers } = await api.get(daoPath());
      expect([status, body]).to.deep.equal([404, { error: 'dao_not_found' }]);
      expect(headers.get('x-dao-state')).to.equal(state);
    }
  });

  it('2 to 4: empty for a DAO that is unknown or not complete, or an unknown proposal', async () => {
    const token = api.token({ dao: OTHER_DAO });
    for (const path of pages) {
      expect((await api.get(daoPath(OTHER_DAO) + path, { token })).body).to.deep.equal({
        total: 0,
        items: [],
      });
    }
    expect(await list(votesOf(address(77)))).to.deep.equal({ total: 0, items: [] });
    api.store.put('dao_state', DAO, { state: 'backfilling' });
    for (const path of pages) expect(await list(path)).to.deep.equal({ total: 0, items: [] });
  });

  it('serve a degraded DAO and say so', async () => {
    api.store.put('dao_state', DAO, { state: 'degraded' });
    for (const path of ['', ...pages]) {
      const { status, headers } = await api.get(daoPath() + path);
      expect([status, headers.get('x-dao-state')]).to.deep.equal([200, 'degraded']);
    }
  });

  it('answer a path in any form of its addresses', async () => {
    const parsed = Address.parse(DAO);
    const forms = [true, false].flatMap((urlSafe) =>
      [true, false].flatMap((bounceable) =>
        [true, false].map((testOnly) =>
          encodeURIComponent(parsed.toString({ urlSafe, bounceable, testOnly })),
        ),
      ),
    );
    for (const form of [...forms, DAO.toUpperCase(), encodeURIComponent(DAO)]) {
      expect((await api.get(`/api/v1/daos/${form}`)).status).to.equal(200);
      expect((await api.get(`/api/v1/daos/${form}/proposals/${form}/votes`)).status).to.equal(200);
    }
  });

  it('invalid_dao_address, invalid_proposal_address', async () => {
    const friendly = Address.parse(DAO).toString();
    const wrong = [
      'x',
      '0:',
      `0:${'0'.repeat(63)}`,
      `1:${'0'.repeat(64)}`,
      `${friendly.slice(0, -1)}-`,
      '%',
      '%zz',
      '%00',
      '%ff',
      'a%20b',
    ];
    for (const text of wrong) {
      expect(await api.error(`/api/v1/daos/${text}`), text).to.equal('400 invalid_dao_address');
      expect(await api.error(daoPath() + votesOf(text)), text).to.equal('400 invalid_proposal_address');
    }
  });

  it('page without a gap or a repetition, whatever the size of the pages', async () => {
    const all = await list('/holders');
    expect(all.total).to.equal(HOLDERS);
    for (const limit of [1, 7, 25, 1000]) {
      const items: unknown[] = [];
      for (let offset = 0; offset < HOLDERS; offset += limit) {
        const page = await list(`/holders?limit=${limit}&offset=${offset}`);
        expect(page.total).to.equal(HOLDERS);
        items.push(...page.items);
      }
      expect(items).to.deep.equal(all.items);
    }
  });

  it('give an empty page with the true total past the end', async () => {
    for (const offset of [HOLDERS, 1e6, Number.MAX_SAFE_INTEGER]) {
      expect(await list(`/holders?offset=${offset}`)).to.deep.equal({ total: HOLDERS, items: [] });
    }
  });

  const malformed = [
    '',
    '-1',
    '+1',
    '1.0',
    '1e2',
    '0x10',
    ' 1',
    '1%20',
    '01',
    'NaN',
    'null',
    '१',
    '9007199254740992',
    '99999999999999999999',
  ];
  for (const value of [...malformed, '0', '1001']) {
    it(`invalid_limit: ${JSON.stringify(value)}`, () => refused('limit', value));
  }
  for (const value of malformed)
    it(`invalid_offset: ${JSON.stringify(value)}`, () => refused('offset', value));

  async function refused(name: string, value: string): Promise<void> {
    for (const path of pages) {
      expect(await api.error(`${daoPath()}${path}?${name}=${value}`)).to.equal(`400 invalid_${name}`);
    }
  }

  it('refuse a parameter given twice, and ignore unknown ones', async () => {
    for (const path of pages) {
      expect(await api.error(`${daoPath()}${path}?limit=1&limit=1`)).to.equal('400 invalid_limit');
      expect(await api.error(`${daoPath()}${path}?offset=0&x=1&offset=0`)).to.equal('400 invalid_offset');
      const many = Array.from({ length: 1200 }, (_, index) => `${index}`).join('&');
      expect(await api.error(`${daoPath()}${path}?${many}&limit=x`)).to.equal('400 invalid_limit');
      expect((await api.get(`${daoPath()}${path}?limit[]=0&Limit=0&__proto__=1&%=%&=`)).status).to.equal(200);
    }
    expect((await api.get(`${daoPath()}?limit=0`)).status).to.equal(200);
  });

  it('3: join the DAO to each proposal', async () => {
    const { total, items } = await list('/proposals');
    expect(total).to.equal(5);
    expect(items.map((item) => item['proposal_id'])).to.deep.equal([5, 4, 3, 2, 1]);
    const { dao, ...rest } = items[0] ?? {};
    expect(dao).to.deep.equal(daoBody);
    expect(rest).to.deep.equal(proposalBody(5, 'active'));
  });

  it('3: the clock rejects at the second of date_expire, and what the chain decided stays', async () => {
    const status = async () => (await list('/proposals')).items.map((item) => item['status']).toReversed();
    api.now = expiryOf(2) - 1;
    expect(await status()).to.deep.equal(['executed', 'active', 'unknown', 'mine', 'active']);
    api.now = expiryOf(2);
    expect(await status()).to.deep.equal(['executed', 'rejected', 'unknown', 'mine', 'active']);
    api.now = expiryOf(5);
    expect(await status()).to.deep.equal(['executed', 'rejected', 'rejected', 'mine', 'rejected']);
  });

  it("3: is_user_voted for the token's wallet, absent where it speaks for none", async () => {
    const voted = async (token: string) =>
      (await list('/proposals', { token })).items.map((item) => item['is_user_voted']);
    expect(await voted(api.token())).to.deep.equal([undefined, undefined, undefined, undefined, undefined]);
    expect(await voted(api.token({ owner: VOTER }))).to.deep.equal([true, false, false, false, false]);
    expect(await voted(api.token({ owner: address(0x208) }))).to.deep.equal([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('say what state of the chain they show', async () => {
    for (const path of ['', ...pages]) {
      const { headers } = await api.get(daoPath() + path);
      expect(headers.get('x-dao-state')).to.equal('live');
      expect(headers.get('x-indexed-seqno')).to.equal('1234');
      expect(headers.get('x-indexed-at')).to.equal(iso(1_750_000_000));
    }
  });

  it('keep a sane X-Request-Id and name the others themselves', async () => {
    const id = async (given: string) =>
      (await api.get(daoPath(), { headers: { 'x-request-id': given } })).headers.get('x-request-id');
    expect(await id('abc-1.2:3_4')).to.equal('abc-1.2:3_4');
    for (const insane of ['', 'a b', 'ü', 'x'.repeat(129), '{"a":1}']) {
      expect(await id(insane)).to.match(/^[0-9a-f-]{36}$/);
    }
  });

  it('take HEAD like GET without the body, and refuse the other methods', async () => {
    const got = await api.get(daoPath());
    const head = await api.get(daoPath(), { method: 'HEAD' });
    expect([head.status, head.text]).to.deep.equal([200, '']);
    for (const name of ['etag', 'content-length', 'content-type', 'x-dao-state']) {
      expect(head.headers.get(name)).to.equal(got.headers.get(name));
    }
    expect((await api.get(daoPath(), { method: 'HEAD', token: null })).status).to.equal(401);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect(await api.error(daoPath(), { method, token: null })).to.equal('405 method_not_allowed');
    }
  });

  it('not_found: no such path', async () => {
    for (const path of [
      '/',
      '/api',
      '/api/v1/daos',
      '/api/v1/daos/',
      `${daoPath()}/`,
      `${daoPath()}/x`,
      '/API/v1/daos/x',
      '/%',
      '//',
    ]) {
      expect(await api.error(path)).to.equal('404 not_found');
    }
  });

  it('internal_error: no generation is live', async () => {
    api.store.generation = undefined;
    for (const path of ['', ...pages])
      expect(await api.error(daoPath() + path)).to.equal('500 internal_error');
  });

  describe('caching', () => {
    const tag = async (path: string, options = {}) =>
      (await api.get(daoPath() + path, options)).headers.get('etag') ?? '';
    const status = async (path: string, etag: string, options = {}) =>
      (await api.get(daoPath() + path, { headers: { 'if-none-match': etag }, ...options })).status;

    it('304 for the same, in every spelling of If-None-Match, with the headers of the 200', async () => {
      for (const path of ['', ...pages, '/holders?limit=3&offset=2', '/holders?offset=1000']) {
        const etag = await tag(path);
        for (const spelling of [etag, `W/${etag}`, `"x", ${etag}`, `W/"y" ,W/${etag},"z"`, '*']) {
          expect(await status(path, spelling), spelling).to.equal(304);
        }
        for (const other of ['"x"', etag.slice(1, -1), '', `"x${etag.slice(1)}`]) {
          expect(await status(path, other), other).to.equal(200);
        }
        const { headers } = await api.get(daoPath() + path, { headers: { 'if-none-match': etag } });
        expect(headers.get('etag')).to.equal(etag);
        expect(headers.get('x-indexed-seqno')).to.equal('1234');
        expect(headers.get('content-length')).to.equal(null);
      }
    });

    it('is decided before a page is read; a page asked for twice is kept', async () => {
      const etag = await tag('/holders');
      expect(api.store.pagesRead).to.equal(1);
      await status('/holders', etag);
      expect(api.store.pagesRead).to.equal(1);
      const second = await list('/holders');
      expect(api.store.pagesRead).to.equal(2);
      expect(await list('/holders')).to.deep.equal(second);
      expect(api.store.pagesRead).to.equal(2);
    });

    it('checks the token and the query first', async () => {
      const etag = await tag('/holders');
      expect(await status('/holders', etag, { token: api.token({ dao: OTHER_DAO }) })).to.equal(403);
      expect(await status('/holders?limit=0', etag)).to.equal(400);
    });

    it('1: changes with the DAO and with the generation', async () => {
      const etag = await tag('');
      api.store.put('dao', DAO, { ...daoBody, name: 'New' });
      expect(await status('', etag)).to.equal(200);
      const second = await tag('');
      api.store.generation = {
        id: 'g2',
        projections: '1',
        partitions: 4,
        createdAt: 0,
        live: true,
        building: false,
        promotion: 1,
      };
      expect(await status('', second)).to.equal(200);
    });

    it('2 to 4: changes with the list, the page, and whether the DAO is served', async () => {
      for (const path of pages) {
        const etag = await tag(path);
        expect(await tag(`${path}?limit=1`)).not.to.equal(etag);
        expect(await tag(`${path}?offset=1`)).not.to.equal(etag);
        api.store.put('dao_state', DAO, { state: 'backfilling' });
        expect(await status(path, etag)).to.equal(200);
        api.store.put('dao_state', DAO, { state: 'live' });
        expect(await status(path, etag)).to.equal(304);
      }
      const etag = await tag('/holders');
      api.store.enlist(`holders/${DAO}`, '9', {
        jetton_wallet_address: address(1),
        owner_address: address(2),
        balance: '1',
      });
      expect(await status('/holders', etag)).to.equal(200);
      expect((await list('/holders')).total).to.equal(HOLDERS + 1);
    });

    it('3: changes with the proposals, the DAO, the wallet of the token and the clock', async () => {
      const etag = await tag('/proposals');
      expect(await tag('/proposals', { token: api.token({ owner: VOTER }) })).not.to.equal(etag);
      api.now = expiryOf(2) - 1;
      expect(await status('/proposals', etag)).to.equal(304);
      api.now = expiryOf(2);
      expect(await status('/proposals', etag)).to.equal(200);
      const expired = await tag('/proposals');
      api.now = expiryOf(3) - 1;
      expect(await status('/proposals', expired)).to.equal(304);
      api.store.put('dao', DAO, { ...daoBody, name: 'New' });
      expect(await status('/proposals', expired)).to.equal(200);
      const renamed = await tag('/proposals');
      api.store.enlist(`proposals/${DAO}`, descending(6), proposalBody(6, 'mine'));
      expect(await status('/proposals', renamed)).to.equal(200);
    });

    it('does not take the page of one DAO for that of another', async () => {
      api.store.put('dao', OTHER_DAO, { ...daoBody, address: OTHER_DAO });
      api.store.put('dao_state', OTHER_DAO, { state: 'live' });
      await list('/holders');
      const { body } = await api.get(`${daoPath(OTHER_DAO)}/holders`, {
        token: api.token({ dao: OTHER_DAO }),
      });
      expect(body).to.deep.equal({ total: 0, items: [] });
    });

    it('forbids others to keep an answer, and everybody an error', async () => {
      expect((await api.get(daoPath())).headers.get('cache-control')).to.equal('private, no-cache');
      expect((await api.get(daoPath(), { token: null })).headers.get('cache-control')).to.equal('no-store');
    });
  });
});
