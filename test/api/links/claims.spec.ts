import { expect } from 'chai';
import { CLAIM_INTO_VAULT_VALUE, CLAIM_VALUE, CLAIM_VESTED_VALUE } from '../../../api/links/gas.ts';
import { claimVested } from '../../../shared/contracts/crowdfunding/claim-vested.ts';
import { requestClaimLpTokens } from '../../../shared/contracts/crowdfunding/request-claim-lp-tokens.ts';
import {
  FAILED,
  FOREIGN,
  HELPER,
  helperBody,
  INVESTOR,
  NATIVE,
  OWNER,
  putCampaign,
  SCHEDULE,
  START,
  SUCCESSFUL,
  VAULT,
  VESTED,
  vaultBody,
  WITHDRAWN,
} from '../crowdfunding-story.ts';
import { ApiFixture, address, DAO } from '../fixture.ts';
import { iso, OTHER_DAO } from '../story.ts';
import { type LinkBody, readLink } from './read-link.ts';

const HIGHEST_QUERY_ID = (1n << 64n) - 1n;
const KINDS = ['claim-link', 'vesting-claim-link'] as const;
type Kind = (typeof KINDS)[number];

const linkPath = (kind: Kind, campaign: string, query = `owner_address=${OWNER}`) =>
  `/api/v1/crowdfunding/campaigns/${campaign}/${kind}?${query}`;

describe('endpoints 9 and 10: the claim links', () => {
  const api = new ApiFixture();
  beforeEach(async () => {
    Object.assign(api, new ApiFixture());
    await api.start();
  });
  afterEach(() => api.stop());

  async function link(kind: Kind, campaign: string, query?: string): Promise<LinkBody> {
    const { status, body } = await api.get(linkPath(kind, campaign, query));
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as LinkBody;
  }
  const error = (kind: Kind, campaign: string, query?: string, options = {}) =>
    api.error(linkPath(kind, campaign, query), options);

  describe('what both have', () => {
    for (const kind of KINDS) {
      it(`${kind}: missing_owner_address, invalid_owner_address`, async () => {
        expect(await error(kind, VESTED, '')).to.equal('400 missing_owner_address');
        for (const wrong of ['', 'x', '0:1', `${OWNER}&owner_address=${OWNER}`])
          expect(await error(kind, VESTED, `owner_address=${wrong}`)).to.equal('400 invalid_owner_address');
      });

      it(`${kind}: query_id is a uint64 without loss; invalid_query_id`, async () => {
        const schema = kind === 'claim-link' ? requestClaimLpTokens : claimVested;
        for (const id of [0n, 2n ** 53n + 1n, 2n ** 63n, HIGHEST_QUERY_ID]) {
          const { message } = readLink(
            await link(kind, VESTED, `owner_address=${OWNER}&query_id=${id}`),
            schema,
          );
          expect(message).to.deep.equal({ queryId: id });
        }
        for (const id of ['', '-1', 'x', '1.0', '01', `${HIGHEST_QUERY_ID + 1n}`]) {
          const query = `owner_address=${OWNER}&query_id=${id}`;
          expect(await error(kind, VESTED, query), id).to.equal('400 invalid_query_id');
        }
      });

      it(`${kind}: invalid_campaign_address, forbidden_scope, campaign_not_found, forbidden_dao, in this order`, async () => {
        const readOnly = api.token({ scope: ['dao:read'] });
        expect(await error(kind, 'x', '', { token: null })).to.equal('401 missing_token');
        expect(await error(kind, 'x', '', { token: readOnly })).to.equal('400 invalid_campaign_address');
        expect(await error(kind, address(0xcc), '', { token: readOnly })).to.equal('403 forbidden_scope');
        expect(await error(kind, address(0xcc), '')).to.equal('404 campaign_not_found');
        expect(await error(kind, FOREIGN, '')).to.equal('404 campaign_not_found');
        api.store.put('dao_state', OTHER_DAO, { state: 'live' });
        expect(await error(kind, FOREIGN, '')).to.equal('403 forbidden_dao');
        expect(await error(kind, VESTED, '')).to.equal('400 missing_owner_address');
        api.store.put('dao_state', DAO, { state: 'untracked' });
        expect(await error(kind, VESTED, '')).to.equal('404 campaign_not_found');
      });
    }
  });

  describe('9: the initial claim', () => {
    it('to the helper, gas alone, the body `request_claim_lp_tokens`, no vesting where there is none', async () => {
      const body = await link('claim-link', SUCCESSFUL);
      expect(Object.keys(body)).to.deep.equal([
        'kind',
        'campaignAddress',
        'tonTransfer',
        'details',
        'warnings',
      ]);
      expect(body).to.deep.include({ kind: 'initial_claim', campaignAddress: SUCCESSFUL, warnings: [] });
      expect(readLink(body, requestClaimLpTokens)).to.deep.equal({
        to: HELPER,
        isTestOnly: false,
        value: CLAIM_VALUE,
        message: { queryId: 0n },
      });
    });

    it('with vesting: more gas, and what the vault will hold', async () => {
      api.now = START;
      const body = await link('claim-link', VESTED);
      expect(readLink(body, requestClaimLpTokens).value).to.equal(CLAIM_INTO_VAULT_VALUE);
      // floor(20 x 10^9 x 10^9 / 3 x 10^9), and a quarter of it rounded down
      expect(body.vesting).to.deep.equal({
        phase: 'cliff',
        claimableAmount: '1666666666',
        vestedAmount: '1666666666',
        totalLpAmount: '6666666666',
        claimedLpAmount: '0',
        vestingEnd: iso(START + 5000),
      });
    });

    it('LP is floor(amount x 10^9 / lpPrice), to the last unit and beyond doubles', async () => {
      const cases: [amount: bigint, price: bigint, lp: bigint][] = [
        [1n, 1n, 1_000_000_000n],
        [2n, 3n, 666_666_666n],
        [7n, 7_000_000_001n, 0n],
        [(1n << 120n) - 1n, 999_999_937n, (((1n << 120n) - 1n) * 1_000_000_000n) / 999_999_937n],
      ];
      for (const [amount, price, lp] of cases) {
        api.store.put('helpers', `${VESTED}/${OWNER}`, helperBody(VESTED, { amount: String(amount) }));
        putCampaign(
          api.store,
          VESTED,
          { status: 'successful' },
          { lp_price: String(price), vesting: SCHEDULE },
        );
        if (lp === 0n) expect(await error('claim-link', VESTED)).to.equal('409 nothing_to_claim');
        else expect((await link('claim-link', VESTED)).vesting?.['totalLpAmount']).to.equal(String(lp));
      }
    });

    it('helper_not_found, before the state', async () => {
      expect(await error('claim-link', SUCCESSFUL, `owner_address=${INVESTOR}`)).to.equal(
        '404 helper_not_found',
      );
      expect(await error('claim-link', NATIVE, `owner_address=${INVESTOR}`)).to.equal('404 helper_not_found');
    });

    it('campaign_not_successful, already_claimed, already_refunded, nothing_to_claim, in this order', async () => {
      const helper = (more: object, campaign = SUCCESSFUL) =>
        api.store.put('helpers', `${campaign}/${OWNER}`, helperBody(campaign, more));
      for (const campaign of [NATIVE, FAILED, WITHDRAWN]) {
        helper({ isClaimed: true, isRefunded: true, amount: '0' }, campaign);
        expect(await error('claim-link', campaign)).to.equal('409 campaign_not_successful');
      }
      helper({ isClaimed: true, isRefunded: true, amount: '0' });
      expect(await error('claim-link', SUCCESSFUL)).to.equal('409 already_claimed');
      helper({ isRefunded: true, amount: '0' });
      expect(await error('claim-link', SUCCESSFUL)).to.equal('409 already_refunded');
      helper({ amount: '0' });
      expect(await error('claim-link', SUCCESSFUL)).to.equal('409 nothing_to_claim');
      helper({});
      await link('claim-link', SUCCESSFUL);
    });
  });

  describe('10: the vested claim', () => {
    const vault = (more: object) => api.store.put('vaults', `${VESTED}/${OWNER}`, vaultBody(more));

    it('to the vault, gas alone, the body `claim_vested`', async () => {
      const body = await link('vesting-claim-link', VESTED);
      expect(body).to.deep.include({ kind: 'vested_claim', campaignAddress: VESTED, warnings: [] });
      expect(readLink(body, claimVested)).to.deep.equal({
        to: VAULT,
        isTestOnly: false,
        value: CLAIM_VESTED_VALUE,
        message: { queryId: 0n },
      });
    });

    it('the phases, half-open, with amounts to the last unit', async () => {
      const total = 1_000_000_007n;
      const tge = 250_000_001n;
      const seconds: [after: number, phase: string, vested: bigint][] = [
        [-1, 'not_started', 0n],
        [0, 'cliff', tge],
        [999, 'cliff', tge],
        [1000, 'vesting', tge],
        [1001, 'vesting', tge + (total - tge) / 4000n],
        [4999, 'vesting', tge + ((total - tge) * 3999n) / 4000n],
        [5000, 'fully_vested', total],
        [999_999, 'fully_vested', total],
      ];
      for (const [after, phase, vested] of seconds) {
        api.now = START + after;
        vault({});
        if (vested === 0n) {
          expect(await error('vesting-claim-link', VESTED)).to.equal('409 nothing_to_claim');
          continue;
        }
        expect((await link('vesting-claim-link', VESTED)).vesting, phase).to.deep.equal({
          phase,
          claimableAmount: String(vested),
          vestedAmount: String(vested),
          totalLpAmount: String(total),
          claimedLpAmount: '0',
          vestingEnd: iso(START + 5000),
        });
        vault({ claimedLpAmount: String(vested - 1n) });
        expect((await link('vesting-claim-link', VESTED)).vesting).to.include({
          claimableAmount: '1',
          claimedLpAmount: String(vested - 1n),
        });
        vault({ claimedLpAmount: String(vested) });
        expect(await error('vesting-claim-link', VESTED)).to.equal('409 nothing_to_claim');
      }
    });

    it('released: all of it, at any time; the claim is still due', async () => {
      api.now = START - 1000;
      vault({ isEmergencyReleased: true, claimedLpAmount: '7' });
      expect((await link('vesting-claim-link', VESTED)).vesting).to.include({
        phase: 'released',
        claimableAmount: '1000000000',
        vestedAmount: '1000000007',
      });
      vault({ isEmergencyReleased: true, claimedLpAmount: '1000000007' });
      expect(await error('vesting-claim-link', VESTED)).to.equal('409 nothing_to_claim');
    });

    it('duration 0: at once when the cliff ends', async () => {
      vault({ vestingDuration: 0 });
      api.now = START + 999;
      expect((await link('vesting-claim-link', VESTED)).vesting?.['phase']).to.equal('cliff');
      api.now = START + 1000;
      const { vesting } = await link('vesting-claim-link', VESTED);
      expect(vesting).to.include({ phase: 'fully_vested', vestedAmount: '1000000007' });
    });

    it('vesting_vault_not_found, vesting_not_initialized', async () => {
      for (const query of [`owner_address=${INVESTOR}`, undefined]) {
        const campaign = query === undefined ? SUCCESSFUL : VESTED;
        expect(await error('vesting-claim-link', campaign, query)).to.equal('404 vesting_vault_not_found');
      }
      vault({ isInitialized: false, claimedLpAmount: '1000000007' });
      expect(await error('vesting-claim-link', VESTED)).to.equal('409 vesting_not_initialized');
    });

    it('ETag: moves with the vesting', async () => {
      api.now = START + 2000;
      const path = linkPath('vesting-claim-link', VESTED);
      const etag = (await api.get(path)).headers.get('etag') ?? '';
      const again = async () => (await api.get(path, { headers: { 'if-none-match': etag } })).status;
      expect(await again()).to.equal(304);
      api.now += 1;
      expect(await again()).to.equal(200);
    });
  });
});
