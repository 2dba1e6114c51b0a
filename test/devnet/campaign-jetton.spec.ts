import { Address, toNano } from '@ton/core';
import { expect } from 'chai';
import { noForwardPayload } from '../../shared/contracts/jetton/forward-payload.ts';
import { takeWalletAddress } from '../../shared/contracts/jetton/take-wallet-address.ts';
import { jettonTransferNotification } from '../../shared/contracts/jetton/transfer-notification.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { type CampaignLab, DURATION, exitAt, ONE, openCampaignLab } from './campaign-lab.ts';
import type { Actor } from './story/actor.ts';
import { type Campaign, reserves } from './story/campaign.ts';

describe('devnet: jetton campaign', () => {
  let lab: CampaignLab;
  before(async () => {
    lab = await openCampaignLab();
  });
  after(() => lab.close());

  const start: CampaignLab['start'] = (changes) => lab.start({ currency: lab.currency.minter, ...changes });
  const give = async (campaign: Campaign, from: Actor, amount: bigint) => {
    await lab.trace(() => campaign.contribute(from, amount));
  };
  /** What a contribution takes from that wallet: nothing where it comes back. */
  const taken = async (campaign: Campaign, from: Actor, amount: bigint) => {
    const before = await lab.currency.balanceOf(from.address);
    await give(campaign, from, amount);
    return before - (await lab.currency.balanceOf(from.address));
  };

  it('learns its wallet from the minter of its currency, once', async () => {
    const campaign = await start();
    const { jettonWallet } = await campaign.state();
    expect(jettonWallet?.equals(lab.currency.walletOf(campaign.address))).to.equal(true);
    const body = bodyOf(takeWalletAddress, {
      queryId: 1n,
      walletAddress: lab.bob.address,
      ownerAddress: null,
    });
    const steps = await lab.send(lab.bob, { to: campaign.address, body });
    expect(exitAt(steps, campaign.address)).to.equal(76);
  });

  it('counts what its helper accepts, and nothing that others say they have sent', async () => {
    const campaign = await start();
    const steps = await lab.trace(() => campaign.contribute(lab.alice, 7n));
    expect(steps.every(({ exitCode }) => exitCode === 0)).to.equal(true);
    const { total, held, pending } = await campaign.state();
    expect([total, held, pending]).to.deep.equal([7n, 7n, 0n]);
    expect(await lab.currency.balanceOf(campaign.address)).to.equal(7n);
    const forged = { queryId: 1n, amount: 9n, sender: lab.bob.address, forwardPayload: noForwardPayload };
    const body = bodyOf(jettonTransferNotification, forged);
    expect(exitAt(await lab.send(lab.bob, { to: campaign.address, body }), campaign.address)).to.equal(75);
    const native = await lab.start();
    expect(exitAt(await lab.send(lab.bob, { to: native.address, body }), native.address)).to.equal(113);
  });

  it('sends back whatever it cannot take', async () => {
    const { alice, bob, world } = lab;
    const campaign = await start({ minPerUser: 10n, maxPerUser: 100n, maxTotal: 150n, hasWhitelist: true });
    expect(await taken(campaign, bob, 50n)).to.equal(0n);
    await campaign.list([alice.address, bob.address]);
    expect(await taken(campaign, alice, 9n)).to.equal(0n);
    expect(await taken(campaign, alice, 101n)).to.equal(0n);
    expect(await taken(campaign, alice, 80n)).to.equal(80n);
    // More than a wallet may: its helper refuses. Over the cap: refused as a whole.
    expect(await taken(campaign, alice, 21n)).to.equal(0n);
    expect(await taken(campaign, bob, 71n)).to.equal(0n);
    campaign.pause();
    await world.settle();
    expect(await taken(campaign, bob, 20n)).to.equal(0n);
    campaign.pause(false);
    await world.settle();
    expect(await taken(campaign, bob, 20n)).to.equal(20n);
    world.wait(DURATION);
    expect(await taken(campaign, bob, 20n)).to.equal(0n);
    const { total, held, pending } = await campaign.state();
    expect([total, held, pending]).to.deep.equal([100n, 100n, 0n]);
    const later = await start({ startTime: world.now + 100, endTime: world.now + 200 });
    expect(await taken(later, bob, 20n)).to.equal(0n);
  });

  it('sends back what brought too little gas, and holds what brought too little to be sent back', async () => {
    const campaign = await start();
    const before = await lab.currency.balanceOf(lab.alice.address);
    const send = (forwardTonAmount: bigint) =>
      lab.trace(() => lab.currency.transfer(lab.alice, campaign.address, 50n, { forwardTonAmount }));
    await send(reserves.jettonForward - 1n);
    expect(await lab.currency.balanceOf(lab.alice.address)).to.equal(before);
    await send(toNano('0.03'));
    expect(await lab.currency.balanceOf(lab.alice.address)).to.equal(before);
    await send(toNano('0.03') - 1n);
    expect(await lab.currency.balanceOf(lab.alice.address)).to.equal(before - 50n);
    let state = await campaign.state();
    expect([state.total, state.pending, state.held]).to.deep.equal([0n, 0n, 50n]);
    // The operator can still bring it to light.
    await lab.trace(() => campaign.withdrawAll());
    expect(await lab.currency.balanceOf(lab.destination)).to.equal(50n);
    state = await campaign.state();
    expect(state.held).to.equal(0n);
  });

  it('sends back what comes before it knows its wallet', async () => {
    const { world, alice, currency } = lab;
    const before = await currency.balanceOf(alice.address);
    // A currency whose minter never answers.
    const campaign = await lab.start({ currency: lab.destination });
    currency.transfer(alice, campaign.address, 5n, { forwardTonAmount: reserves.jettonForward });
    await world.settle();
    expect(await currency.balanceOf(alice.address)).to.equal(before);
    expect((await campaign.state()).held).to.equal(0n);
  });

  it('pays out at its cap, pays its fee and its refunds in its currency', async () => {
    const { alice, bob, currency, world } = lab;
    const before = await currency.balanceOf(lab.destination);
    const full = await start({ maxTotal: 1001n, managementFee: 250 });
    await give(full, alice, 500n);
    const steps = await lab.trace(() => full.contribute(bob, 501n));
    expect(steps.every(({ exitCode }) => exitCode === 0)).to.equal(true);
    expect((await full.state()).status).to.equal('successful');
    expect((await currency.balanceOf(lab.destination)) - before).to.equal(976n);
    await lab.trace(() => full.claimFee(alice));
    expect(await currency.balanceOf(lab.feeManager)).to.equal(25n);
    expect(await currency.balanceOf(full.address)).to.equal(0n);

    const missed = await start({ minTotal: 10n * ONE });
    await give(missed, alice, ONE);
    await give(missed, bob, 3n);
    world.wait(DURATION);
    missed.finalise(bob);
    await world.settle();
    const balance = await currency.balanceOf(alice.address);
    await lab.trace(() => missed.refund(alice));
    expect((await currency.balanceOf(alice.address)) - balance).to.equal(ONE);
    const { totalRefunded, held, total } = await missed.state();
    expect([totalRefunded, held, total]).to.deep.equal([ONE, 3n, ONE + 3n]);
  });

  it('holds again what could not leave', async () => {
    const { alice, currency } = lab;
    // Jettons do not go to the masterchain: its wallet refuses the payout.
    const destination = new Address(-1, Buffer.alloc(32));
    const campaign = await start({ maxTotal: 40n, destination });
    await give(campaign, alice, 40n);
    const { status, held } = await campaign.state();
    expect([status, held]).to.deep.equal(['successful', 40n]);
    expect(await currency.balanceOf(campaign.address)).to.equal(40n);
  });
});
