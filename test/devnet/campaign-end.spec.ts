import { expect } from 'chai';
import { type CampaignLab, DURATION, exitAt, ONE, openCampaignLab } from './campaign-lab.ts';
import type { Actor } from './story/actor.ts';
import type { Campaign } from './story/campaign.ts';

describe('devnet: how a native campaign ends', () => {
  let lab: CampaignLab;
  before(async () => {
    lab = await openCampaignLab();
  });
  after(() => lab.close());

  /** Contributes and answers with the exit code at the campaign. */
  const give = async (campaign: Campaign, from: Actor, amount: bigint) =>
    exitAt(await lab.trace(() => campaign.contribute(from, amount)), campaign.address);
  const figures = async (campaign: Campaign) => {
    const { status, total, pending, held } = await campaign.state();
    return { status, total, pending, held };
  };

  it('is successful at once at its cap: all but the fee, rounded down, to the destination', async () => {
    const campaign = await lab.start({ maxTotal: ONE + 3n, managementFee: 333 });
    const before = lab.coinsOf(lab.destination);
    await give(campaign, lab.alice, ONE + 3n);
    const fee = ((ONE + 3n) * 333n) / 10_000n;
    const state = await campaign.state();
    expect(state.status).to.equal('successful');
    expect(state.finishedAt).to.be.within(lab.world.now - 10, lab.world.now);
    expect(state.held).to.equal(fee);
    const received = lab.coinsOf(lab.destination) - before;
    expect(Number(ONE + 3n - fee - received)).to.be.within(0, 1e6);
    expect(await give(campaign, lab.bob, 1n)).to.equal(105);
  });

  it('is finalised by anyone from its end on, never before, and once', async () => {
    const { world, bob } = lab;
    const finalise = async (campaign: Campaign) =>
      exitAt(await lab.trace(() => campaign.finalise(bob)), campaign.address);
    const [reached, missed, empty] = [
      await lab.start({ minTotal: 2n * ONE }),
      await lab.start({ minTotal: 2n * ONE }),
      await lab.start(),
    ];
    await give(reached, lab.alice, 2n * ONE);
    await give(missed, lab.alice, 2n * ONE - 1n);
    expect(await finalise(reached)).to.equal(115);
    world.wait(DURATION);
    expect(await finalise(reached)).to.equal(0);
    expect(await finalise(reached)).to.equal(105);
    expect(await finalise(missed)).to.equal(0);
    expect(await finalise(empty)).to.equal(0);
    expect((await reached.state()).status).to.equal('successful');
    expect((await missed.state()).status).to.equal('failed');
    expect((await empty.state()).status).to.equal('failed');
    expect(await figures(missed)).to.include({ held: 2n * ONE - 1n });
  });

  it('gives everything to its destination in an emergency, once, and does nothing afterwards', async () => {
    const campaign = await lab.start();
    await give(campaign, lab.alice, 3n * ONE);
    const before = lab.coinsOf(lab.destination);
    await lab.trace(() => campaign.withdrawAll());
    expect(Number(lab.coinsOf(lab.destination) - before)).to.be.within(3e9 - 1e6, 3e9);
    expect(await figures(campaign)).to.deep.equal({
      status: 'emergency_withdrawn',
      total: 3n * ONE,
      pending: 0n,
      held: 0n,
    });
    expect(await give(campaign, lab.bob, ONE)).to.equal(105);
    for (const act of [
      () => campaign.withdrawAll(),
      () => campaign.pause(),
      () => campaign.finalise(lab.bob),
      () => campaign.claimFee(lab.bob),
    ]) {
      expect(exitAt(await lab.trace(act), campaign.address)).to.be.greaterThan(0);
    }
    await campaign.list([lab.bob.address]);
    expect(await campaign.isListed(lab.bob.address)).to.equal(false);
  });

  it('sends on what was on its way when everything was withdrawn, so that each helper stays right', async () => {
    const campaign = await lab.start({ maxPerUser: 5n * ONE });
    await give(campaign, lab.bob, 3n * ONE);
    const before = lab.coinsOf(lab.destination);
    const bobBefore = lab.coinsOf(lab.bob.address);
    await lab.trace(async () => {
      campaign.contribute(lab.alice, 4n * ONE);
      campaign.contribute(lab.bob, 4n * ONE);
      campaign.withdrawAll();
      await lab.world.settle();
    });
    expect(await figures(campaign)).to.deep.equal({
      status: 'emergency_withdrawn',
      total: 7n * ONE,
      pending: 0n,
      held: 0n,
    });
    expect((await campaign.share(lab.alice.address))?.amount).to.equal(4n * ONE);
    expect(Number(lab.coinsOf(lab.destination) - before)).to.be.within(7e9 - 2e6, 7e9);
    expect(Number(bobBefore - lab.coinsOf(lab.bob.address))).to.be.below(3e7);
  });

  it('pays its fee once, when it is successful', async () => {
    const campaign = await lab.start({ maxTotal: 10n * ONE, managementFee: 1000 });
    const claim = async () => exitAt(await lab.trace(() => campaign.claimFee(lab.bob)), campaign.address);
    expect(await claim()).to.equal(117);
    await give(campaign, lab.alice, 10n * ONE);
    const before = lab.coinsOf(lab.feeManager);
    expect(await claim()).to.equal(0);
    expect(Number(lab.coinsOf(lab.feeManager) - before)).to.be.within(1e9 - 1e6, 1e9);
    const { daoFeeClaimed, held } = await campaign.state();
    expect([daoFeeClaimed, held]).to.deep.equal([true, 0n]);
    expect(await claim()).to.equal(119);
    const free = await lab.start({ maxTotal: ONE });
    await give(free, lab.alice, ONE);
    expect(exitAt(await lab.trace(() => free.claimFee(lab.bob)), free.address)).to.equal(121);
  });
});
