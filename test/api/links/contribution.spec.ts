import { Address } from '@ton/core';
import { expect } from 'chai';
import { CONTRIBUTE_RESERVE, JETTON_CONTRIBUTE_VALUE, JETTON_FORWARD } from '../../../api/links/gas.ts';
import { contribute } from '../../../shared/contracts/crowdfunding/contribute.ts';
import { jettonTransfer } from '../../../shared/contracts/jetton/transfer.ts';
import { RetryableError } from '../../../shared/errors.ts';
import {
  CAP,
  CURRENCY,
  END,
  FAILED,
  FOREIGN,
  INVESTOR,
  JETTON,
  LISTED_JETTON,
  LISTED_NATIVE,
  MAX,
  MIN,
  NATIVE,
  OWNER,
  PAUSED,
  putCampaign,
  START,
  SUCCESSFUL,
  TOTAL,
  WITHDRAWN,
} from '../crowdfunding-story.ts';
import { ApiFixture, address, DAO, JETTON_WALLET } from '../fixture.ts';
import { OTHER_DAO } from '../story.ts';
import { type LinkBody, readLink } from './read-link.ts';

const linkPath = (campaign: string, query: string) =>
  `/api/v1/crowdfunding/campaigns/${campaign}/contribution-link?${query}`;
const HIGHEST_QUERY_ID = (1n << 64n) - 1n;
const HIGHEST = (1n << 120n) - 1n;
const STRANGER = address(0x57);

describe('endpoint 8: the contribution link', () => {
  const api = new ApiFixture();
  beforeEach(async () => {
    Object.assign(api, new ApiFixture());
    await api.start();
  });
  afterEach(() => api.stop());

  const error = (campaign: string, query: string, options = {}) =>
    api.error(linkPath(campaign, query), options);
  async function link(campaign: string, query: string): Promise<LinkBody> {
    const { status, body } = await api.get(linkPath(campaign, query));
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as LinkBody;
  }

  it('native: to the campaign, the amount and the reserve, the body `contribute`', async () => {
    const body = await link(NATIVE, `amount=${MIN}&query_id=7`);
    expect(Object.keys(body)).to.deep.equal([
      'isNative',
      'campaignAddress',
      'tonTransfer',
      'details',
      'warnings',
    ]);
    expect(body).to.deep.include({ isNative: true, campaignAddress: NATIVE, warnings: [] });
    expect(readLink(body, contribute)).to.deep.equal({
      to: NATIVE,
      isTestOnly: false,
      value: MIN + CONTRIBUTE_RESERVE,
      message: { queryId: 7n, amount: MIN },
    });
  });

  it("jetton: to the investor's jetton wallet, gas alone, a transfer to the campaign", async () => {
    const body = await link(JETTON, `amount=${MIN}&investor_address=${INVESTOR}`);
    expect(body).to.deep.include({ isNative: false, campaignAddress: JETTON, warnings: [] });
    const { to, value, message } = readLink(body, jettonTransfer);
    expect([to, value]).to.deep.equal([JETTON_WALLET, JETTON_CONTRIBUTE_VALUE]);
    expect(message).to.deep.include({
      queryId: 0n,
      amount: MIN,
      forwardTonAmount: JETTON_FORWARD,
      customPayload: null,
    });
    expect(message.destination.toRawString()).to.equal(JETTON);
    expect(message.responseDestination?.toRawString()).to.equal(INVESTOR);
    expect([message.forwardPayload.form, message.forwardPayload.cell.bits.length]).to.deep.equal([
      'inline',
      0,
    ]);
  });

  it('jetton: what is left goes to response_address where it is given', async () => {
    const body = await link(
      JETTON,
      `amount=${MIN}&investor_address=${INVESTOR}&response_address=${STRANGER}`,
    );
    expect(readLink(body, jettonTransfer).message.responseDestination?.toRawString()).to.equal(STRANGER);
  });

  it('takes every form of an address, a + that arrives as a space too', async () => {
    const plus = Address.parseRaw(`0:${'fb'.repeat(32)}`).toString({ urlSafe: false });
    expect(plus).to.contain('+');
    for (const form of [
      plus,
      encodeURIComponent(plus),
      Address.parse(INVESTOR).toString({ bounceable: false }),
    ]) {
      expect((await link(JETTON, `amount=${MIN}&investor_address=${form}`)).warnings).to.deep.equal([]);
    }
    const friendly = encodeURIComponent(Address.parse(NATIVE).toString({ testOnly: true, urlSafe: false }));
    expect(await link(friendly, `amount=${MIN}`)).to.deep.equal(await link(NATIVE, `amount=${MIN}`));
  });

  it('on testnet: test-only addresses, in the mini app too', async () => {
    api.links.network = 'testnet';
    api.links.miniAppUrl = 'https://t.me/harbour_bot/app';
    const body = await link(NATIVE, `amount=${MIN}`);
    expect(readLink(body, contribute)).to.include({ to: NATIVE, isTestOnly: true });
    expect(body.miniAppLink).to.contain(`contribute_${body.details.to}_`);
  });

  it('query_id: a uint64 without loss; invalid_query_id', async () => {
    for (const id of [0n, 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, HIGHEST_QUERY_ID]) {
      const native = await link(NATIVE, `amount=${MIN}&query_id=${id}`);
      expect(readLink(native, contribute).message.queryId).to.equal(id);
      const jetton = await link(JETTON, `amount=${MIN}&investor_address=${INVESTOR}&query_id=${id}`);
      expect(readLink(jetton, jettonTransfer).message.queryId).to.equal(id);
    }
    const wrong = [
      '',
      '-1',
      '-0',
      '+1',
      '1.0',
      '1e3',
      '0x1',
      '01',
      'x',
      `${HIGHEST_QUERY_ID + 1n}`,
      '9'.repeat(5000),
    ];
    for (const id of wrong)
      expect(await error(NATIVE, `amount=${MIN}&query_id=${id}`), id).to.equal('400 invalid_query_id');
    expect(await error(NATIVE, `amount=${MIN}&query_id=1&query_id=1`)).to.equal('400 invalid_query_id');
  });

  describe('invalid_amount', () => {
    const wrong = [
      '',
      '0',
      '000',
      '-1',
      '+1',
      '1.5',
      '1e9',
      '0x1',
      'x',
      '%201',
      '१',
      `${HIGHEST + 1n}`,
      '9'.repeat(5000),
    ];
    for (const amount of wrong) {
      it(`not a positive integer of the chain: ${JSON.stringify(amount.slice(0, 50))}`, async () => {
        expect(await error(NATIVE, `amount=${amount}`)).to.equal('400 invalid_amount');
        expect(await error(JETTON, `amount=${amount}&investor_address=${INVESTOR}`)).to.equal(
          '400 invalid_amount',
        );
      });
    }

    it('absent or given twice', async () => {
      expect(await error(NATIVE, '')).to.equal('400 invalid_amount');
      expect(await error(NATIVE, `amount=${MIN}&amount=${MIN}`)).to.equal('400 invalid_amount');
    });

    it('outside [minAmountPerUser, maxAmountPerUser], both ends within', async () => {
      for (const campaign of [NATIVE, JETTON]) {
        const query = (amount: bigint) => `amount=${amount}&investor_address=${INVESTOR}`;
        expect(await error(campaign, query(MIN - 1n))).to.equal('400 invalid_amount');
        expect(await error(campaign, query(MAX + 1n))).to.equal('400 invalid_amount');
        await link(campaign, query(MIN));
        await link(campaign, query(MAX));
      }
    });

    it('jetton: more than the investor may still contribute in all, told last', async () => {
      // OWNER has contributed 20 of at most 50.
      const query = (amount: bigint) => `amount=${amount}&investor_address=${OWNER}`;
      await link(JETTON, query(MAX - 20_000_000_000n));
      expect(await error(JETTON, query(MAX - 20_000_000_000n + 1n))).to.equal('400 invalid_amount');
      putCampaign(api.store, JETTON, { isNative: false, paused: true }, { currency: address(1) });
      expect(await error(JETTON, query(MAX))).to.equal('409 campaign_paused');
      // Of a native campaign nobody knows who will sign.
      await link(NATIVE, query(MAX));
    });

    it('no bounds where the campaign has none, up to what the chain holds', async () => {
      const free = { minAmountPerUser: '0', maxAmountPerUser: undefined, maxTotalAmount: undefined };
      putCampaign(api.store, NATIVE, free);
      putCampaign(api.store, JETTON, { ...free, isNative: false }, { currency: address(1) });
      expect((await link(NATIVE, 'amount=1')).warnings).to.deep.equal([]);
      const highest = HIGHEST - CONTRIBUTE_RESERVE;
      const { value } = readLink(await link(NATIVE, `amount=${highest}`), contribute);
      expect(value).to.equal(HIGHEST);
      expect(await error(NATIVE, `amount=${highest + 1n}`)).to.equal('400 invalid_amount');
      const jetton = await link(JETTON, `amount=${HIGHEST}&investor_address=${INVESTOR}`);
      expect(readLink(jetton, jettonTransfer).message.amount).to.equal(HIGHEST);
    });

    it('zeros at the front do not count', async () => {
      expect(await link(NATIVE, `amount=000${MIN}`)).to.deep.equal(await link(NATIVE, `amount=${MIN}`));
    });
  });

  it('missing_investor_address, invalid_investor_address, invalid_response_address', async () => {
    expect(await error(JETTON, `amount=${MIN}`)).to.equal('400 missing_investor_address');
    expect(await error(LISTED_JETTON, `amount=${MIN}&response_address=${OWNER}`)).to.equal(
      '400 missing_investor_address',
    );
    for (const campaign of [NATIVE, JETTON]) {
      for (const wrong of ['', 'x', '0:1', `1:${'0'.repeat(64)}`, `${OWNER}&investor_address=${OWNER}`])
        expect(await error(campaign, `amount=${MIN}&investor_address=${wrong}`)).to.equal(
          '400 invalid_investor_address',
        );
      for (const wrong of ['', 'x', '0:1', `${OWNER}&response_address=${OWNER}`]) {
        const query = `amount=${MIN}&investor_address=${OWNER}&response_address=${wrong}`;
        expect(await error(campaign, query)).to.equal('400 invalid_response_address');
      }
    }
  });

  it('native: investor_address and response_address change nothing', async () => {
    const plain = await link(LISTED_NATIVE, `amount=${MIN}`);
    const query = `amount=${MIN}&investor_address=${STRANGER}&response_address=${STRANGER}`;
    expect(await link(LISTED_NATIVE, query)).to.deep.equal(plain);
  });

  it('not_whitelisted: jetton campaigns; entry 1001 and beyond are known', async () => {
    const query = (investor: string) => `amount=${MIN}&investor_address=${investor}`;
    for (const listed of [address(0x10_0000), address(0x10_0000 + 1000), INVESTOR])
      expect((await link(LISTED_JETTON, query(listed))).warnings).to.deep.equal([]);
    expect(await error(LISTED_JETTON, query(STRANGER))).to.equal('403 not_whitelisted');
    await link(JETTON, query(STRANGER));
    api.store.remove('whitelist', `${LISTED_JETTON}/${INVESTOR}`);
    expect(await error(LISTED_JETTON, query(INVESTOR))).to.equal('403 not_whitelisted');
  });

  it('campaign_not_active, campaign_paused', async () => {
    for (const campaign of [SUCCESSFUL, FAILED, WITHDRAWN])
      expect(await error(campaign, `amount=${MIN}`)).to.equal('409 campaign_not_active');
    expect(await error(PAUSED, `amount=${MIN}`)).to.equal('409 campaign_paused');
    const { headers } = await api.get(linkPath(PAUSED, `amount=${MIN}`));
    expect(headers.get('x-indexed-seqno')).to.equal('1234');
  });

  it('jetton_wallet_unavailable, with the reason in the log alone', async () => {
    const down = new RetryableError('CHAIN_UNAVAILABLE', 'http://secret-host refused');
    api.links.resolveJettonWallet = () => Promise.reject(down);
    const query = `amount=${MIN}&investor_address=${INVESTOR}`;
    expect(await error(JETTON, query)).to.equal('502 jetton_wallet_unavailable');
    expect(api.log).to.contain('http://secret-host refused');
    expect(await error(LISTED_JETTON, `amount=${MIN}&investor_address=${STRANGER}`)).to.equal(
      '403 not_whitelisted',
    );
    await link(NATIVE, query);
  });

  it('warnings, and several of them', async () => {
    const warnings = async (campaign: string, amount = MIN) =>
      (await link(campaign, `amount=${amount}&investor_address=${INVESTOR}`)).warnings;
    expect(await warnings(LISTED_NATIVE)).to.deep.equal(['whitelist_enforced_on_chain']);
    expect(await warnings(LISTED_JETTON)).to.deep.equal([]);
    const left = CAP - TOTAL;
    for (const campaign of [NATIVE, JETTON]) {
      expect(await warnings(campaign, left)).to.deep.equal([]);
      expect(await warnings(campaign, left + 1n)).to.deep.equal(['amount_exceeds_remaining_hardcap']);
    }
    api.now = START;
    expect(await warnings(NATIVE)).to.deep.equal([]);
    api.now = START - 1;
    expect(await warnings(NATIVE)).to.deep.equal(['campaign_not_started']);
    api.now = END - 1;
    expect(await warnings(NATIVE)).to.deep.equal([]);
    api.now = END;
    expect(await warnings(LISTED_NATIVE, left + 1n)).to.deep.equal([
      'whitelist_enforced_on_chain',
      'amount_exceeds_remaining_hardcap',
      'campaign_ended',
    ]);
  });

  it('campaign_code_unknown: where the campaign was upgraded to a code that nobody knows here', async () => {
    const unknown = { code_hash: 'ab'.repeat(32) };
    putCampaign(api.store, NATIVE, {}, unknown);
    const { warnings } = await link(NATIVE, `amount=${MIN}`);
    expect(warnings).to.deep.equal(['campaign_code_unknown']);
    putCampaign(api.store, JETTON, {}, { ...unknown, currency: CURRENCY });
    expect((await link(JETTON, `amount=${MIN}&investor_address=${INVESTOR}`)).warnings).to.deep.equal([]);
  });

  it('miniAppLink: where a mini app is configured, and to be read back', async () => {
    expect(await link(NATIVE, `amount=${MIN}`)).not.to.have.property('miniAppLink');
    api.links.miniAppUrl = 'https://t.me/harbour_bot/app';
    for (const [campaign, amount] of [
      [NATIVE, MIN],
      [JETTON, MAX],
    ] as const) {
      const { miniAppLink = '' } = await link(campaign, `amount=${amount}&investor_address=${INVESTOR}`);
      const [url, payload = ''] = miniAppLink.split('?startapp=');
      expect(url).to.equal(api.links.miniAppUrl);
      expect(payload).to.match(/^[\w-]{0,512}$/);
      const [, contributed = '', digits] = /^contribute_([\w-]{48})_([0-9]+)$/.exec(payload) ?? [];
      expect([Address.parse(contributed).toRawString(), digits]).to.deep.equal([campaign, String(amount)]);
    }
  });

  it('campaign_not_found: unknown, or of a DAO that is not served', async () => {
    expect(await error(address(0xcc), `amount=${MIN}`)).to.equal('404 campaign_not_found');
    // No path to tell which campaigns of others exist before their DAO is served.
    expect(await error(FOREIGN, `amount=${MIN}`)).to.equal('404 campaign_not_found');
    api.store.put('dao_state', DAO, { state: 'backfilling' });
    const { status, headers } = await api.get(linkPath(NATIVE, `amount=${MIN}`));
    expect([status, headers.get('x-dao-state')]).to.deep.equal([404, 'backfilling']);
    api.store.put('dao_state', DAO, { state: 'degraded' });
    await link(NATIVE, `amount=${MIN}`);
  });

  it('checks in the order: token, address, scope, campaign, DAO, parameters, range, whitelist, state, wallet', async () => {
    api.store.put('dao_state', OTHER_DAO, { state: 'live' });
    const bad = 'amount=x';
    const readOnly = api.token({ scope: ['dao:read'] });
    expect(await error('x', bad, { token: null })).to.equal('401 missing_token');
    expect(await error('x', bad, { token: readOnly })).to.equal('400 invalid_campaign_address');
    expect(await error(address(0xcc), bad, { token: readOnly })).to.equal('403 forbidden_scope');
    expect(await error(address(0xcc), bad)).to.equal('404 campaign_not_found');
    expect(await error(FOREIGN, bad)).to.equal('403 forbidden_dao');
    const all = (more: object) =>
      putCampaign(
        api.store,
        LISTED_JETTON,
        { hasWhitelist: true, paused: true, ...more },
        { currency: address(1) },
      );
    all({ status: 'failed' });
    api.links.resolveJettonWallet = () => Promise.reject(new Error('down'));
    expect(await error(LISTED_JETTON, bad)).to.equal('400 invalid_amount');
    expect(await error(LISTED_JETTON, 'amount=1')).to.equal('400 missing_investor_address');
    const query = (amount: bigint, investor: string) => `amount=${amount}&investor_address=${investor}`;
    expect(await error(LISTED_JETTON, query(1n, STRANGER))).to.equal('400 invalid_amount');
    expect(await error(LISTED_JETTON, query(MIN, STRANGER))).to.equal('403 not_whitelisted');
    expect(await error(LISTED_JETTON, query(MIN, INVESTOR))).to.equal('409 campaign_not_active');
    all({});
    expect(await error(LISTED_JETTON, query(MIN, INVESTOR))).to.equal('409 campaign_paused');
    all({ paused: false });
    expect(await error(LISTED_JETTON, query(MIN, INVESTOR))).to.equal('502 jetton_wallet_unavailable');
  });

  it('ETag: moves with the answer alone, the clock included', async () => {
    const path = linkPath(NATIVE, `amount=${MIN}`);
    const first = await api.get(path);
    const etag = first.headers.get('etag') ?? '';
    const again = async () => (await api.get(path, { headers: { 'if-none-match': etag } })).status;
    expect(await again()).to.equal(304);
    putCampaign(api.store, NATIVE, { totalAmount: '5' });
    expect(await again()).to.equal(304);
    api.now = START - 1;
    expect(await again()).to.equal(200);
    expect((await api.get(linkPath(NATIVE, `amount=${MIN}&query_id=1`))).headers.get('etag')).not.to.equal(
      etag,
    );
  });
});
