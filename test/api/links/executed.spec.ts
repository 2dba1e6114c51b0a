import { Address, Cell, toNano } from '@ton/core';
import { expect } from 'chai';
import {
  contributionLink,
  contributionWarnings,
  refuseContribution,
} from '../../../api/links/contribution.ts';
import type { LinkCampaign, LinkHelper, LinkVault } from '../../../api/links/documents.ts';
import { initialClaimLink } from '../../../api/links/initial-claim.ts';
import type { Transfer } from '../../../api/links/transfer.ts';
import { vestedClaimLink } from '../../../api/links/vested-claim.ts';
import type { CampaignParams } from '../../../shared/contracts/crowdfunding/campaign-params.ts';
import { type CampaignLab, DURATION, ONE, openCampaignLab } from '../../devnet/campaign-lab.ts';
import { codeOf } from '../../devnet/contracts/codes.ts';
import type { Actor, Letter } from '../../devnet/story/actor.ts';
import type { Campaign } from '../../devnet/story/campaign.ts';

const YEAR = 31_536_000;
const settings = { network: 'mainnet', resolveJettonWallet: () => Promise.reject(new Error()) } as const;

/** The builders against the contracts: what they link is taken, and what they refuse or warn of is not. */
describe('links, sent to the contracts', () => {
  let lab: CampaignLab;
  beforeEach(async () => {
    lab = await openCampaignLab();
  });
  afterEach(() => lab.close());

  /** As a wallet reads a URI. */
  function letterOf({ tonTransfer: { uri } }: Transfer): Letter {
    const [, to = '', amount = '', bin = ''] =
      /^ton:\/\/transfer\/([^?]+)\?amount=(\d+)&bin=([\w-]+)$/.exec(uri) ?? [];
    const body = Cell.fromBase64(Buffer.from(bin, 'base64url').toString('base64'));
    return { to: Address.parse(to), value: BigInt(amount), body };
  }

  /** Whether no part of what the link causes fails. */
  async function accepted(from: Actor, link: Transfer): Promise<boolean> {
    const steps = await lab.send(from, letterOf(link));
    return steps.length > 0 && steps.every(({ aborted }) => !aborted);
  }

  async function facts(campaign: Campaign): Promise<LinkCampaign> {
    const { status, paused, total, params } = await campaign.state();
    return {
      address: campaign.address.toRawString(),
      codeHash: codeOf('campaign').hash().toString('hex'),
      status,
      paused,
      total,
      ...limits(params),
      currency: params.currency?.toRawString() ?? null,
    };
  }

  function limits({
    hasWhitelist,
    maxTotal,
    minPerUser,
    maxPerUser,
    startTime,
    endTime,
    lpPrice,
    vesting,
  }: CampaignParams) {
    return { hasWhitelist, maxTotal, minPerUser, maxPerUser, startTime, endTime, lpPrice, vesting };
  }

  async function contribution(campaign: Campaign, from: Actor, amount: bigint) {
    const known = await facts(campaign);
    const owner = from.address.toRawString();
    const wallet = campaign.currency?.walletOf(from.address).toRawString();
    const route = wallet === undefined ? undefined : { wallet, response: owner };
    return contributionLink(known, { amount, queryId: 9n }, route, { now: lab.world.now, settings });
  }

  async function helperOf(campaign: Campaign, { address }: Actor): Promise<LinkHelper | undefined> {
    const share = await campaign.share(address);
    return (
      share && {
        address: campaign.helperOf(address).toRawString(),
        amount: share.amount,
        isClaimed: share.claimed,
        isRefunded: share.refunded,
      }
    );
  }

  async function vaultOf(campaign: Campaign, { address }: Actor): Promise<LinkVault | undefined> {
    const vault = await campaign.vault(address);
    if (!vault) return undefined;
    const { initialised, total, claimed, start, cliff, duration, tgeBps, released } = vault;
    return {
      address: campaign.vaultOf(address).toRawString(),
      claimed,
      isInitialized: initialised,
      schedule: { total, start, cliff, duration, tgeBps, released },
    };
  }

  const context = () => ({ queryId: 1n, now: lab.world.now, settings });
  async function initialClaim(campaign: Campaign, from: Actor) {
    return initialClaimLink(await facts(campaign), await helperOf(campaign, from), context());
  }
  async function vestedClaim(campaign: Campaign, from: Actor) {
    return vestedClaimLink(campaign.address.toRawString(), await vaultOf(campaign, from), context());
  }

  for (const currency of ['native', 'jetton'] as const) {
    const start = (changes: Partial<CampaignParams> = {}) =>
      lab.start({ ...(currency === 'jetton' && { currency: lab.currency.minter }), ...changes });

    it(`a ${currency} contribution: the first, the next, and the one that reaches the cap`, async () => {
      const campaign = await start({ maxTotal: 10n * ONE, minPerUser: ONE, maxPerUser: 6n * ONE });
      for (const [from, amount] of [
        [lab.alice, ONE],
        [lab.alice, 5n * ONE],
        [lab.bob, 4n * ONE],
      ] as const) {
        const link = await contribution(campaign, from, amount);
        expect(link.warnings).to.deep.equal([]);
        expect(await accepted(from, link)).to.equal(true);
      }
      const { status, total } = await campaign.state();
      expect([status, total]).to.deep.equal(['successful', 10n * ONE]);
    });

    it(`a ${currency} contribution with a warning, or that is refused a link, comes back as a whole`, async () => {
      const campaign = await start({
        maxTotal: 10n * ONE,
        maxPerUser: 8n * ONE,
        startTime: lab.world.now + 500,
      });
      const sent = async (amount: bigint, warnings: string[]) => {
        const link = await contribution(campaign, lab.alice, amount);
        expect(link.warnings).to.deep.equal(warnings);
        const { total } = await campaign.state();
        await accepted(lab.alice, link);
        return (await campaign.state()).total - total;
      };
      expect(await sent(ONE, ['campaign_not_started'])).to.equal(0n);
      lab.world.wait(500);
      expect(await sent(7n * ONE, [])).to.equal(7n * ONE);
      expect(await sent(4n * ONE, ['amount_exceeds_remaining_hardcap'])).to.equal(0n);

      const known = await facts(campaign);
      const investor = { isListed: false, contributed: 7n * ONE };
      expect(refuseContribution({ campaign: known, investor }, 2n * ONE)).to.equal('invalid_amount');
      expect(await sent(2n * ONE, [])).to.equal(0n);
      campaign.pause();
      await lab.world.settle();
      expect(refuseContribution({ campaign: await facts(campaign) }, ONE)).to.equal('campaign_paused');
      expect(await sent(ONE, [])).to.equal(0n);
      campaign.pause(false);
      await lab.world.settle();
      expect(await sent(ONE, [])).to.equal(ONE);
      lab.world.wait(DURATION);
      expect(await sent(ONE, ['campaign_ended'])).to.equal(0n);
    });

    it(`a ${currency} contribution: the whitelist`, async () => {
      const campaign = await start({ hasWhitelist: true });
      await campaign.list([lab.alice.address]);
      const known = await facts(campaign);
      const warned = contributionWarnings(known, ONE, lab.world.now);
      expect(warned).to.deep.equal(currency === 'native' ? ['whitelist_enforced_on_chain'] : []);
      await accepted(lab.alice, await contribution(campaign, lab.alice, ONE));
      await accepted(lab.bob, await contribution(campaign, lab.bob, ONE));
      expect((await campaign.state()).total).to.equal(ONE);
      if (currency === 'native') return;
      const stranger = { campaign: known, investor: { isListed: false, contributed: 0n } };
      expect(refuseContribution(stranger, ONE)).to.equal('not_whitelisted');
    });
  }

  const vesting = { cliff: 100, duration: 1000, tgeBps: 2500 };

  it('the initial claim, years after the contribution, and why there is none', async () => {
    const campaign = await lab.start({ maxTotal: 10n * ONE, lpPrice: 3n * ONE });
    await accepted(lab.alice, await contribution(campaign, lab.alice, 7n * ONE));
    expect(await initialClaim(campaign, lab.alice)).to.deep.equal({ refused: 'campaign_not_successful' });
    await accepted(lab.bob, await contribution(campaign, lab.bob, 3n * ONE));
    lab.world.wait(5 * YEAR);
    for (const [from, lp] of [
      [lab.alice, 2_333_333_333n],
      [lab.bob, ONE],
    ] as const) {
      const outcome = await initialClaim(campaign, from);
      if ('refused' in outcome) throw new Error(outcome.refused);
      expect(outcome.link.vesting).to.equal(undefined);
      expect(await accepted(from, outcome.link)).to.equal(true);
      expect(await lab.lp.balanceOf(from.address)).to.equal(lp);
      expect(await initialClaim(campaign, from)).to.deep.equal({ refused: 'already_claimed' });
      expect(await accepted(from, outcome.link)).to.equal(false);
    }
    expect(await initialClaim(campaign, lab.owner)).to.deep.equal({ refused: 'helper_not_found' });
  });

  it('the claim into a vault, and the vested claim in each phase, years apart', async () => {
    const start = lab.world.now + 1000;
    const campaign = await lab.start({ maxTotal: 10n * ONE, vesting: { start, ...vesting } });
    await accepted(lab.alice, await contribution(campaign, lab.alice, 10n * ONE));
    expect(await vestedClaim(campaign, lab.alice)).to.deep.equal({ refused: 'vesting_vault_not_found' });
    const first = await initialClaim(campaign, lab.alice);
    if ('refused' in first) throw new Error(first.refused);
    expect(first.link.vesting).to.include({ phase: 'not_started', totalLpAmount: String(10n * ONE) });
    expect(await accepted(lab.alice, first.link)).to.equal(true);
    expect(await vestedClaim(campaign, lab.alice)).to.deep.equal({ refused: 'nothing_to_claim' });

    for (const [wait, phase] of [
      [1000, 'cliff'],
      [100, 'vesting'],
      [5 * YEAR, 'fully_vested'],
    ] as const) {
      lab.world.wait(wait);
      // The clock of the next block may be a second later.
      const outcome = await vestedClaim(campaign, lab.alice);
      if ('refused' in outcome) throw new Error(outcome.refused);
      expect(outcome.link.vesting?.phase).to.equal(phase);
      const before = await lab.lp.balanceOf(lab.alice.address);
      expect(await accepted(lab.alice, outcome.link)).to.equal(true);
      const claimed = (await lab.lp.balanceOf(lab.alice.address)) - before;
      expect(claimed >= BigInt(outcome.link.vesting?.claimableAmount ?? 0)).to.equal(true);
    }
    expect(await lab.lp.balanceOf(lab.alice.address)).to.equal(10n * ONE);
    expect(await vestedClaim(campaign, lab.alice)).to.deep.equal({ refused: 'nothing_to_claim' });
  });

  it('the vested claim after an emergency release', async () => {
    const start = lab.world.now + YEAR;
    const campaign = await lab.start({ maxTotal: 10n * ONE, vesting: { start, ...vesting } });
    await accepted(lab.alice, await contribution(campaign, lab.alice, 10n * ONE));
    const first = await initialClaim(campaign, lab.alice);
    if ('refused' in first) throw new Error(first.refused);
    await accepted(lab.alice, first.link);
    campaign.release(lab.alice.address);
    await lab.world.settle();
    const outcome = await vestedClaim(campaign, lab.alice);
    if ('refused' in outcome) throw new Error(outcome.refused);
    expect(outcome.link.vesting?.phase).to.equal('released');
    expect(await accepted(lab.alice, outcome.link)).to.equal(true);
    expect(await lab.lp.balanceOf(lab.alice.address)).to.equal(10n * ONE);
  });

  it('what is not used of the gas comes back', async () => {
    const campaign = await lab.start({ maxTotal: 10n * ONE, vesting: { start: lab.world.now, ...vesting } });
    const cost = async (link: Transfer, kept = 0n) => {
      const before = lab.coinsOf(lab.alice.address);
      await accepted(lab.alice, link);
      return before - lab.coinsOf(lab.alice.address) - kept;
    };
    const amount = 10n * ONE;
    expect((await cost(await contribution(campaign, lab.alice, amount), amount)) < toNano('0.06')).to.equal(
      true,
    );
    const claim = await initialClaim(campaign, lab.alice);
    if ('refused' in claim) throw new Error(claim.refused);
    expect((await cost(claim.link)) < toNano('0.11')).to.equal(true);
  });
});
