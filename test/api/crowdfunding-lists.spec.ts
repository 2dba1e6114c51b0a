import { expect } from 'chai';
import {
  CAMPAIGNS,
  campaignBody,
  FAILED,
  helperBody,
  INVESTOR,
  LISTED_NATIVE,
  MINTERS,
  NATIVE,
  OWNER,
  PAUSED,
  participantBody,
  putCampaign,
  SUCCESSFUL,
  VESTED,
  WITHDRAWN,
} from './crowdfunding-story.ts';
import { ApiFixture, address, DAO, daoPath } from './fixture.ts';
import { daoBody, iso, OTHER_DAO } from './story.ts';

interface List {
  total: number;
  items: Record<string, unknown>[];
}

const LISTS = ['/crowdfundings', '/lp-masters-with-lp-holders'];
const participantPath = (owner = OWNER) => `${daoPath()}/participants/${owner}`;

describe('endpoints 5 to 7', () => {
  const api = new ApiFixture();
  beforeEach(async () => {
    Object.assign(api, new ApiFixture());
    await api.start();
  });
  afterEach(() => api.stop());

  const list = async (path: string, options = {}) => (await api.get(daoPath() + path, options)).body as List;
  const campaign = async (options = {}) =>
    (await list('/crowdfundings?limit=1000', options)).items.find((item) => item['address'] === NATIVE) ?? {};
  const tag = async (path: string, options = {}) =>
    (await api.get(daoPath() + path, options)).headers.get('etag') ?? '';
  const status = async (path: string, etag: string, options = {}) =>
    (await api.get(daoPath() + path, { headers: { 'if-none-match': etag }, ...options })).status;

  describe('5: campaigns', () => {
    it('newest first, of this DAO alone', async () => {
      const { total, items } = await list('/crowdfundings');
      expect(total).to.equal(CAMPAIGNS.length);
      expect(items.map((item) => item['address'])).to.deep.equal(CAMPAIGNS.toReversed());
    });

    it('a campaign as it is stored, joined with the DAO and lists of its own', async () => {
      const { items } = await list('/crowdfundings');
      for (const item of items) {
        const { dao, daoName, contributors, participantsCount, whitelist, ...rest } = item;
        expect([dao, daoName]).to.deep.equal([daoBody, daoBody.name]);
        expect(contributors).to.be.an('array');
        expect(participantsCount).to.equal(item['address'] === NATIVE ? 151 : 1);
        expect(whitelist !== undefined).to.equal(item['hasWhitelist']);
        const expected = campaignBody(String(item['address']));
        expect(Object.keys(rest)).to.include.members(Object.keys(expected));
        expect(rest['name']).to.equal(expected.name);
      }
    });

    it('the 100 first contributors with the exact count, the 1000 first of the whitelist', async () => {
      const native = await campaign();
      expect(native['contributors']).to.have.length(100);
      expect((native['contributors'] as object[])[0]).to.deep.equal({
        address: OWNER,
        amount: '20000000000',
      });
      const { items } = await list('/crowdfundings');
      for (const item of items.filter(({ hasWhitelist }) => hasWhitelist)) {
        const shown = item['whitelist'] as string[];
        expect(shown).to.have.length(1000);
        expect([shown[0], shown[999]]).to.deep.equal([address(0x10_0000), address(0x10_0000 + 999)]);
        expect(shown).not.to.include(INVESTOR);
      }
    });

    it('no contributor yet: an empty array and 0', async () => {
      const fresh = address(0xd1);
      putCampaign(api.store, fresh, { hasWhitelist: true });
      const [item] = (await list('/crowdfundings?limit=1')).items;
      expect(item).to.include({ address: fresh, participantsCount: 0 });
      expect([item?.['contributors'], item?.['whitelist']]).to.deep.equal([[], []]);
    });

    it("userHelper of the token's wallet, absent where it has none or the token speaks for none", async () => {
      expect(await campaign()).not.to.have.property('userHelper');
      expect(await campaign({ token: api.token({ owner: INVESTOR }) })).not.to.have.property('userHelper');
      const { userHelper } = await campaign({ token: api.token({ owner: OWNER }) });
      expect(userHelper).to.deep.equal(helperBody(NATIVE));
    });

    it('only those of the status asked for, with the total of those', async () => {
      const expected: Record<string, string[]> = {
        active: CAMPAIGNS.filter((a) => ![SUCCESSFUL, VESTED, FAILED, WITHDRAWN].includes(a)),
        successful: [SUCCESSFUL, VESTED],
        failed: [FAILED],
        emergency_withdrawn: [WITHDRAWN],
      };
      for (const [wanted, addresses] of Object.entries(expected)) {
        const { total, items } = await list(`/crowdfundings?status=${wanted}`);
        expect(items.map((item) => item['address'])).to.deep.equal(addresses.toReversed());
        expect(total).to.equal(addresses.length);
        const second = await list(`/crowdfundings?status=${wanted}&limit=1&offset=1`);
        expect(second.total).to.equal(addresses.length);
        expect(second.items).to.deep.equal(items.slice(1, 2));
      }
    });

    it('invalid_status', async () => {
      for (const value of [
        '',
        'Active',
        'ACTIVE',
        'paused',
        'active%20',
        '%00',
        'active,failed',
        '__proto__',
        '0',
      ]) {
        expect(await api.error(`${daoPath()}/crowdfundings?status=${value}`), value).to.equal(
          '400 invalid_status',
        );
      }
      const twice = `${daoPath()}/crowdfundings?status=active&status=active`;
      expect(await api.error(twice)).to.equal('400 invalid_status');
    });

    it('page without a gap or a repetition', async () => {
      const all = (await list('/crowdfundings')).items;
      for (const limit of [1, 2, 4, 1000]) {
        const items: unknown[] = [];
        for (let offset = 0; offset < all.length; offset += limit) {
          items.push(...(await list(`/crowdfundings?limit=${limit}&offset=${offset}`)).items);
        }
        expect(items).to.deep.equal(all);
      }
      const past = await list('/crowdfundings?offset=9007199254740991');
      expect(past).to.deep.equal({ total: CAMPAIGNS.length, items: [] });
    });

    it('ETag: moves with the list, the DAO, what is joined, the wallet, the page and the filter', async () => {
      const path = '/crowdfundings';
      const owner = { token: api.token({ owner: OWNER }) };
      let etag = await tag(path);
      expect(await status(path, etag)).to.equal(304);
      const others = await Promise.all([
        tag(`${path}?limit=2`),
        tag(`${path}?offset=1`),
        tag(`${path}?status=active`),
        tag(`${path}?status=successful`),
        tag(path, owner),
      ]);
      expect(new Set([etag, ...others]).size).to.equal(6);

      const mine = await tag(path, owner);
      api.store.put('helpers', `${VESTED}/${OWNER}`, helperBody(VESTED, { isClaimed: true }));
      expect(await status(path, mine, owner)).to.equal(200);
      expect(await status(path, etag)).to.equal(304);

      const changes = [
        () => api.store.enlist(`contributors/${PAUSED}`, '5', { address: address(8), amount: '1' }),
        () => api.store.enlist(`whitelist/${LISTED_NATIVE}`, '999999', address(9)),
        () => api.store.put('dao', DAO, { ...daoBody, name: 'New' }),
        () => void putCampaign(api.store, NATIVE, { totalAmount: '1' }),
        () =>
          void (api.store.generation = {
            id: 'g2',
            projections: '1',
            partitions: 4,
            createdAt: 0,
            live: true,
            building: false,
            promotion: 1,
          }),
      ];
      for (const change of changes) {
        change();
        expect(await status(path, etag), String(change)).to.equal(200);
        etag = await tag(path);
        expect(await status(path, etag)).to.equal(304);
      }
      // What the page does not show does not move its ETag.
      const first = await tag(`${path}?limit=1`);
      api.store.enlist(`contributors/${NATIVE}`, '9', { address: address(9), amount: '1' });
      expect(await status(`${path}?limit=1`, first)).to.equal(304);
      expect(await campaign()).to.include({ participantsCount: 152, daoName: 'New', totalAmount: '1' });
    });

    it('a page asked for twice is kept', async () => {
      await list('/crowdfundings');
      await list('/crowdfundings');
      const read = api.store.pagesRead;
      await list('/crowdfundings');
      expect(api.store.pagesRead).to.equal(read + 1);
    });
  });

  describe('6: LP masters with their holders', () => {
    const path = '/lp-masters-with-lp-holders';
    const holdersOf = (items: List['items']) =>
      items.map(({ holders }) => (holders as { balance: string }[]).map(({ balance }) => balance));

    it('oldest first, each with its holders, campaigns and exact total', async () => {
      const { total, items } = await list(path);
      expect(total).to.equal(2);
      const [first, second] = items;
      expect(items.map((item) => item['lpJettonMasterAddress'])).to.deep.equal(MINTERS);
      expect(first).to.deep.include({ campaignAddresses: [NATIVE, VESTED], holdersTotal: 5 });
      expect(second).to.deep.include({ campaignAddresses: [], holdersTotal: 0, holders: [] });
      expect(holdersOf(items)).to.deep.equal([['50', '49', '48', '47', '46'], []]);
    });

    it('two levels of pages, each with its true total', async () => {
      const page = await list(`${path}?holders_limit=2&holders_offset=1&masters_limit=1`);
      expect([page.total, page.items.length, page.items[0]?.['holdersTotal']]).to.deep.equal([2, 1, 5]);
      expect(holdersOf(page.items)).to.deep.equal([['49', '48']]);
      const second = await list(`${path}?masters_offset=1`);
      expect([second.total, second.items[0]?.['lpJettonMasterAddress']]).to.deep.equal([2, MINTERS[1]]);
      const past = await list(`${path}?holders_offset=5`);
      expect([past.items[0]?.['holdersTotal'], holdersOf(past.items)]).to.deep.equal([5, [[], []]]);
      expect(await list(`${path}?masters_offset=2`)).to.deep.equal({ total: 2, items: [] });
      const joined: string[] = [];
      for (let offset = 0; offset < 5; offset += 2) {
        joined.push(
          ...(holdersOf((await list(`${path}?holders_limit=2&holders_offset=${offset}`)).items)[0] ?? []),
        );
      }
      expect(joined).to.deep.equal(['50', '49', '48', '47', '46']);
    });

    for (const name of ['masters_limit', 'masters_offset', 'holders_limit', 'holders_offset']) {
      it(`invalid_${name}`, async () => {
        const values = ['', '-1', '+1', '1.0', '01', '1e2', 'x', '9007199254740992'];
        if (name.endsWith('limit')) values.push('0', '1001');
        for (const value of values)
          expect(await api.error(`${daoPath()}${path}?${name}=${value}`), value).to.equal(
            `400 invalid_${name}`,
          );
        expect(await api.error(`${daoPath()}${path}?${name}=1&${name}=1`)).to.equal(`400 invalid_${name}`);
        const good = await api.get(`${daoPath()}${path}?limit=x&offset=x&${name}=1`);
        expect(good.status).to.equal(200);
      });
    }

    it('ETag: moves with the masters and the holders shown, and with both pages', async () => {
      const etag = await tag(path);
      const others = ['masters_limit=1', 'masters_offset=1', 'holders_limit=1', 'holders_offset=1'];
      const tags = await Promise.all(others.map((query) => tag(`${path}?${query}`)));
      expect(new Set([etag, ...tags]).size).to.equal(5);
      const second = await tag(`${path}?masters_offset=1`);
      api.store.enlist(`lp_holders/${DAO}/${MINTERS[0]}`, '9', {
        lpJettonWalletAddress: address(1),
        ownerAddress: address(2),
        balance: '1',
      });
      expect(await status(path, etag)).to.equal(200);
      expect(await status(`${path}?masters_offset=1`, second)).to.equal(304);
      const moved = await tag(path);
      const master = { lpJettonMasterAddress: address(0x1b2), campaignAddresses: [] };
      api.store.enlist(`lp_masters/${DAO}`, '7', master);
      expect(await status(path, moved)).to.equal(200);
    });
  });

  it('5 and 6: empty for a DAO that is unknown or not complete', async () => {
    const token = api.token({ dao: OTHER_DAO });
    const empty = { total: 0, items: [] };
    for (const path of LISTS)
      expect((await api.get(daoPath(OTHER_DAO) + path, { token })).body).to.deep.equal(empty);
    api.store.put('dao_state', DAO, { state: 'backfilling' });
    for (const path of LISTS) expect(await list(path)).to.deep.equal(empty);
  });

  describe('7: a participant', () => {
    it('one document, byte for byte as it is stored, whatever the form of the address', async () => {
      const { text } = await api.get(participantPath());
      expect(text).to.equal(JSON.stringify(participantBody));
      expect((await api.get(participantPath(OWNER.toUpperCase()))).text).to.equal(text);
    });

    it('participant_not_found: took no part, or only in another DAO', async () => {
      const { status: code, body, headers } = await api.get(participantPath(INVESTOR));
      expect([code, body]).to.deep.equal([404, { error: 'participant_not_found' }]);
      expect(headers.get('x-indexed-seqno')).to.equal('1234');
    });

    it('dao_not_found: unknown, or not complete', async () => {
      const token = api.token({ dao: OTHER_DAO });
      const unknown = `${daoPath(OTHER_DAO)}/participants/${OWNER}`;
      expect(await api.error(unknown, { token })).to.equal('404 dao_not_found');
      api.store.put('dao_state', OTHER_DAO, { state: 'live' });
      expect(await api.error(unknown, { token })).to.equal('404 dao_not_found');
      api.store.put('dao_state', DAO, { state: 'backfilling' });
      expect(await api.error(participantPath())).to.equal('404 dao_not_found');
    });

    it('invalid_owner_address; the order of the checks', async () => {
      for (const wrong of ['x', '0:1', '%00', `2:${'0'.repeat(64)}`])
        expect(await api.error(participantPath(wrong)), wrong).to.equal('400 invalid_owner_address');
      const foreign = api.token({ dao: OTHER_DAO, scope: ['crowdfunding:links'] });
      expect(await api.error(`/api/v1/daos/x/participants/x`, { token: foreign })).to.equal(
        '400 invalid_dao_address',
      );
      expect(await api.error(participantPath('x'), { token: foreign })).to.equal('400 invalid_owner_address');
      expect(await api.error(participantPath(), { token: foreign })).to.equal('403 forbidden_scope');
      const other = api.token({ dao: OTHER_DAO });
      expect(await api.error(participantPath(INVESTOR), { token: other })).to.equal('403 forbidden_dao');
    });

    it('ETag: moves with the document', async () => {
      const path = `/participants/${OWNER}`;
      const etag = await tag(path);
      expect(await status(path, etag)).to.equal(304);
      api.store.put('participants', `${DAO}/${OWNER}`, { ...participantBody, activeCount: 2 });
      expect(await status(path, etag)).to.equal(200);
    });
  });

  it('say what state of the chain they show', async () => {
    api.store.put('dao_state', DAO, { state: 'degraded' });
    for (const path of [...LISTS, `/participants/${OWNER}`]) {
      const { headers } = await api.get(daoPath() + path);
      expect(headers.get('x-dao-state')).to.equal('degraded');
      expect(headers.get('x-indexed-at')).to.equal(iso(1_750_000_000));
      expect(headers.get('cache-control')).to.equal('private, no-cache');
    }
  });

  it('forbidden_dao, forbidden_scope on each', async () => {
    for (const path of [...LISTS, `/participants/${OWNER}`]) {
      const foreign = api.token({ dao: OTHER_DAO });
      expect(await api.error(daoPath() + path, { token: foreign })).to.equal('403 forbidden_dao');
      const scopeless = api.token({ scope: ['crowdfunding:links'] });
      expect(await api.error(daoPath() + path, { token: scopeless })).to.equal('403 forbidden_scope');
    }
  });
});
