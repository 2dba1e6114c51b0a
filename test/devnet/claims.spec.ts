import { beginCell, Cell, toNano } from '@ton/core';
import { expect } from 'chai';
import { addContribution } from '../../shared/contracts/crowdfunding/add-contribution.ts';
import { claimLp } from '../../shared/contracts/crowdfunding/claim-lp.ts';
import { requestClaimLpTokens } from '../../shared/contracts/crowdfunding/request-claim-lp-tokens.ts';
import { requestRefund } from '../../shared/contracts/crowdfunding/request-refund.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { type CampaignLab, DURATION, exitAt, ONE, openCampaignLab } from './campaign-lab.ts';
import type { Actor } from './story/actor.ts';
import { type Campaign, reserves } from './story/campaign.ts';

describe('devnet: helper, claims and refunds', () => {
  let lab: CampaignLab;
  before(async () => {
    lab = await openCampaignLab();
  });
  after(() => lab.close());

  const successful = async (changes: Parameters<CampaignLab['start']>[0] = {}) => {
    const campaign = await lab.start({ maxTotal: 10n * ONE, ...changes });
    await lab.trace(() => campaign.contribute(lab.alice, 7n * ONE));
    await lab.trace(() => campaign.contribute(lab.bob, 3n * ONE));
    return campaign;
  };
  const failed = async () => {
    const campaign = await lab.start({ minTotal: 100n * ONE });
    await lab.trace(() => campaign.contribute(lab.alice, 7n * ONE));
    lab.world.wait(DURATION);
    await lab.trace(() => campaign.finalise(lab.bob));
    return campaign;
  };
  const ask = async (campaign: Campaign, from: Actor, body: Cell, value = toNano('0.2')) => {
    const helper = campaign.helperOf(lab.alice.address);
    return exitAt(await lab.send(from, { to: helper, body, value }), helper);
  };
  const claim = bodyOf(requestClaimLpTokens, { queryId: 5n });
  const refund = bodyOf(requestRefund, { queryId: 5n });

  it('gives LP jettons by the price of a whole one, rounded down, and returns the rest of the gas', async () => {
    const campaign = await successful({ lpPrice: 3n });
    const supply = await lab.lp.supply();
    const before = await lab.lp.balanceOf(lab.alice.address);
    const steps = await lab.trace(() => campaign.claim(lab.alice, reserves.claim));
    expect(steps.every(({ exitCode }) => exitCode === 0)).to.equal(true);
    const issued = (7n * ONE * ONE) / 3n;
    expect((await lab.lp.balanceOf(lab.alice.address)) - before).to.equal(issued);
    expect((await lab.lp.supply()) - supply).to.equal(issued);
    expect((await campaign.state()).totalClaimed).to.equal(7n * ONE);
    expect(await campaign.share(lab.alice.address)).to.deep.equal({
      amount: 7n * ONE,
      claimed: true,
      refunded: false,
    });
  });

  it('lets the owner alone ask, once, and not for both', async () => {
    const campaign = await successful();
    expect(await ask(campaign, lab.bob, claim)).to.equal(74);
    expect(await ask(campaign, lab.alice, claim)).to.equal(0);
    expect(await ask(campaign, lab.alice, claim)).to.equal(119);
    expect(await ask(campaign, lab.alice, refund)).to.equal(119);
    expect((await campaign.state()).totalClaimed).to.equal(7n * ONE);
    const missed = await failed();
    expect(await ask(missed, lab.bob, refund)).to.equal(74);
    expect(await ask(missed, lab.alice, refund)).to.equal(0);
    expect(await ask(missed, lab.alice, refund)).to.equal(120);
    expect(await ask(missed, lab.alice, claim)).to.equal(120);
    expect((await missed.state()).totalRefunded).to.equal(7n * ONE);
  });

  it('resets the flag and returns the gas where the campaign refuses', async () => {
    const open = await lab.start();
    await lab.trace(() => open.contribute(lab.alice, ONE));
    const untouched = { amount: ONE, claimed: false, refunded: false };
    const least = toNano('0.02');
    for (const body of [claim, refund]) {
      expect(await ask(open, lab.alice, body, least - 1n)).to.equal(48);
      const before = lab.coinsOf(lab.alice.address);
      expect(await ask(open, lab.alice, body, least)).to.equal(0);
      expect(await open.share(lab.alice.address)).to.deep.equal(untouched);
      expect(Number(before - lab.coinsOf(lab.alice.address))).to.be.below(1.5e7);
    }
    const wrong = [
      [await successful(), refund],
      [await failed(), claim],
    ] as const;
    for (const [campaign, body] of wrong) {
      expect(await ask(campaign, lab.alice, body)).to.equal(0);
      expect(await campaign.share(lab.alice.address)).to.include({ claimed: false, refunded: false });
    }
  });

  it('refuses a claim that brings too little for what it causes, and may be asked again', async () => {
    for (const [vesting, value] of [
      [null, reserves.claim],
      [{ start: 1, cliff: 0, duration: 0, tgeBps: 0 }, reserves.claimIntoVault],
    ] as const) {
      const campaign = await successful({ vesting });
      await lab.trace(() => campaign.claim(lab.alice, value - toNano('0.01')));
      expect((await campaign.share(lab.alice.address))?.claimed).to.equal(false);
      await lab.trace(() => campaign.claim(lab.alice, value));
      expect((await campaign.share(lab.alice.address))?.claimed).to.equal(true);
    }
  });

  it('gives native money back in full', async () => {
    const campaign = await failed();
    const before = lab.coinsOf(lab.alice.address);
    const steps = await lab.trace(() => campaign.refund(lab.alice, reserves.refund));
    expect(steps.every(({ exitCode }) => exitCode === 0)).to.equal(true);
    expect(Number(lab.coinsOf(lab.alice.address) - before)).to.be.within(7e9 - 1.5e7, 7e9);
    const { held, totalRefunded } = await campaign.state();
    expect([held, totalRefunded]).to.deep.equal([0n, 7n * ONE]);
  });

  it('believes its campaign alone, as the campaign believes its helpers alone', async () => {
    const campaign = await successful();
    const forged = bodyOf(claimLp, { queryId: 1n, amount: 7n * ONE, owner: lab.bob.address });
    const steps = await lab.send(lab.bob, { to: campaign.address, body: forged });
    expect(exitAt(steps, campaign.address)).to.equal(103);
    const added = bodyOf(addContribution, { queryId: 1n, amount: 1n, maxPerUser: 0n });
    expect(await ask(campaign, lab.bob, added)).to.equal(101);
    expect(await ask(campaign, lab.bob, beginCell().storeUint(5, 32).endCell())).to.equal(0xffff);
    expect(await ask(campaign, lab.bob, Cell.EMPTY)).to.equal(0);
  });
});
