import { Address, beginCell, Cell, comment, toNano } from '@ton/core';
import { expect } from 'chai';
import { acceptContribution } from '../../shared/contracts/crowdfunding/accept-contribution.ts';
import {
  type CampaignParams,
  storeCampaignParams,
} from '../../shared/contracts/crowdfunding/campaign-params.ts';
import { changeWhitelist } from '../../shared/contracts/crowdfunding/change-whitelist.ts';
import { contribute } from '../../shared/contracts/crowdfunding/contribute.ts';
import { initCampaign } from '../../shared/contracts/crowdfunding/init-campaign.ts';
import { setPaused } from '../../shared/contracts/crowdfunding/set-paused.ts';
import { upgrade } from '../../shared/contracts/governance/upgrade.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { type CampaignLab, cameBack, DURATION, exitAt, ONE, openCampaignLab } from './campaign-lab.ts';
import { codeOf } from './contracts/codes.ts';
import { type Actor, plainActor } from './story/actor.ts';
import { type Campaign, reserves } from './story/campaign.ts';

const cellOf = (params: CampaignParams) => beginCell().store(storeCampaignParams(params)).endCell();

describe('devnet: native campaign', () => {
  let lab: CampaignLab;
  before(async () => {
    lab = await openCampaignLab();
  });
  after(() => lab.close());

  /** Contributes and answers with the exit code at the campaign. */
  const give = async (campaign: Campaign, from: Actor, amount: bigint) =>
    exitAt(await lab.trace(() => campaign.contribute(from, amount)), campaign.address);
  const exitOf = async (campaign: Campaign, from: Actor, body: Cell, value = toNano('0.2')) =>
    exitAt(await lab.send(from, { to: campaign.address, body, value }), campaign.address);
  const figures = async (campaign: Campaign) => {
    const { status, total, pending, held } = await campaign.state();
    return { status, total, pending, held };
  };

  it('begins as its parameters say', async () => {
    const asked = lab.params({
      minTotal: 5n,
      maxTotal: 500n * ONE,
      maxPerUser: 70n * ONE,
      managementFee: 250,
      description: 'Long. '.repeat(80),
      vesting: { start: 1, cliff: 2, duration: 3, tgeBps: 4 },
    });
    const state = await (await lab.start(asked)).state();
    const { params, dao, crowdfunding, whitelist } = state;
    expect(cellOf(params).equals(cellOf(asked))).to.equal(true);
    expect([state.status, state.paused, state.total, state.finishedAt]).to.deep.equal([
      'active',
      false,
      0n,
      0,
    ]);
    expect(dao.equals(lab.owner.address) && crowdfunding.equals(lab.crowdfunding)).to.equal(true);
    expect(whitelist).to.deep.equal([]);
  });

  it('is started by its plugin alone, and once', async () => {
    const campaign = await lab.start();
    const codes = { helperCode: Cell.EMPTY, vaultCode: Cell.EMPTY };
    const body = bodyOf(initCampaign, { queryId: 1n, dao: lab.bob.address, params: lab.params(), ...codes });
    expect(await exitOf(campaign, lab.bob, body)).to.equal(100);
  });

  it('counts a contribution when its helper has accepted it, and returns the rest of the gas', async () => {
    const campaign = await lab.start();
    const before = lab.coinsOf(lab.alice.address);
    const steps = await lab.trace(() => campaign.contribute(lab.alice, 4n * ONE));
    expect(steps.every(({ exitCode }) => exitCode === 0)).to.equal(true);
    expect(await figures(campaign)).to.deep.equal({
      status: 'active',
      total: 4n * ONE,
      pending: 0n,
      held: 4n * ONE,
    });
    expect(await campaign.share(lab.alice.address)).to.deep.equal({
      amount: 4n * ONE,
      claimed: false,
      refunded: false,
    });
    // Its fees, and what the helper keeps for its rent.
    expect(Number(before - lab.coinsOf(lab.alice.address) - 4n * ONE)).to.be.within(2e7, 4.5e7);
    await give(campaign, lab.alice, ONE);
    await give(campaign, lab.bob, 2n);
    expect((await campaign.state()).total).to.equal(5n * ONE + 2n);
    expect((await campaign.share(lab.alice.address))?.amount).to.equal(5n * ONE);
  });

  it('has helpers and vaults where its get-methods say', async () => {
    const campaign = await lab.start();
    const owner = beginCell().storeAddress(lab.alice.address).endCell();
    const ask = async (method: string) =>
      (await lab.world.get(campaign.address, method, [{ type: 'slice', cell: owner }])).readAddress();
    expect((await ask('get_helper_address')).equals(campaign.helperOf(lab.alice.address))).to.equal(true);
    expect((await ask('get_vault_address')).equals(campaign.vaultOf(lab.alice.address))).to.equal(true);
  });

  it('refuses what comes with less than the reserve, in the wrong currency, or outside its time', async () => {
    const { alice, world } = lab;
    const begun = await lab.start();
    const body = bodyOf(contribute, { queryId: 1n, amount: ONE });
    expect(await exitOf(begun, alice, body, ONE + reserves.contribute - 1n)).to.equal(48);
    expect(await exitOf(begun, alice, body, ONE + reserves.contribute)).to.equal(0);
    const other = await lab.start({ currency: lab.currency.minter });
    expect(await exitOf(other, alice, body, 2n * ONE)).to.equal(113);
    const later = await lab.start({ startTime: world.now + 100, endTime: world.now + 3 * DURATION });
    expect(await give(later, alice, ONE)).to.equal(107);
    world.wait(DURATION + 100);
    expect(await give(begun, alice, ONE)).to.equal(108);
    expect(await give(later, alice, ONE)).to.equal(0);
  });

  it('keeps to the amounts per wallet, of one contribution and of all together', async () => {
    const { alice } = lab;
    const campaign = await lab.start({ minPerUser: 2n * ONE, maxPerUser: 5n * ONE });
    expect(await give(campaign, alice, 0n)).to.equal(109);
    expect(await give(campaign, alice, 2n * ONE - 1n)).to.equal(109);
    expect(await give(campaign, alice, 5n * ONE + 1n)).to.equal(110);
    expect(await give(campaign, alice, 3n * ONE)).to.equal(0);
    const before = lab.coinsOf(alice.address);
    expect(await give(campaign, alice, 2n * ONE + 1n)).to.equal(0);
    // Its helper refused: the money is back.
    expect(Number(before - lab.coinsOf(alice.address))).to.be.below(3e7);
    expect(await figures(campaign)).to.include({ total: 3n * ONE, pending: 0n, held: 3n * ONE });
    expect((await campaign.share(alice.address))?.amount).to.equal(3n * ONE);
    expect(await give(campaign, alice, 2n * ONE)).to.equal(0);
    expect((await campaign.state()).total).to.equal(5n * ONE);
    expect(await give(await lab.start(), alice, 0n)).to.equal(109);
  });

  it('refuses as a whole what is over its cap, also beside what is on its way', async () => {
    const campaign = await lab.start({ maxTotal: 10n * ONE });
    expect(await give(campaign, lab.alice, 10n * ONE + 1n)).to.equal(111);
    const steps = await lab.trace(() => {
      campaign.contribute(lab.alice, 6n * ONE);
      campaign.contribute(lab.bob, 6n * ONE);
    });
    expect(cameBack(steps, lab.bob.address)).to.equal(true);
    expect(await figures(campaign)).to.include({ status: 'active', total: 6n * ONE, pending: 0n });
  });

  it('is paused and goes on as its operator says', async () => {
    const campaign = await lab.start();
    expect(await exitOf(campaign, lab.alice, bodyOf(setPaused, { queryId: 1n, paused: true }))).to.equal(102);
    campaign.pause();
    await lab.world.settle();
    expect((await campaign.state()).paused).to.equal(true);
    expect(await give(campaign, lab.alice, ONE)).to.equal(106);
    campaign.pause(false);
    await lab.world.settle();
    expect(await give(campaign, lab.alice, ONE)).to.equal(0);
  });

  it('takes contributions of those on its whitelist alone, where it has one', async () => {
    const { alice, bob } = lab;
    const campaign = await lab.start({ hasWhitelist: true });
    expect(await give(campaign, alice, ONE)).to.equal(112);
    await campaign.list([alice.address, bob.address]);
    expect(await give(campaign, alice, ONE)).to.equal(0);
    await campaign.list([bob.address], false);
    expect(await give(campaign, bob, ONE)).to.equal(112);
    expect([await campaign.isListed(alice.address), await campaign.isListed(bob.address)]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('changes a long whitelist in messages of 100, by its operator alone', async () => {
    const campaign = await lab.start({ hasWhitelist: true });
    const people = Array.from({ length: 1200 }, (_, index) => plainActor(`listed ${index}`).address);
    const changesOf = (count: number) => ({
      queryId: 1n,
      changes: people.slice(0, count).map((address): [Address, boolean] => [address, true]),
    });
    expect(await exitOf(campaign, lab.alice, bodyOf(changeWhitelist, changesOf(1)))).to.equal(102);
    expect(await exitOf(campaign, lab.owner, bodyOf(changeWhitelist, changesOf(101)), ONE)).to.equal(114);
    await campaign.list(people);
    const { whitelist } = await campaign.state();
    expect(whitelist.map(String)).to.have.members(people.map(String));
    await campaign.list([lab.alice.address]);
    const steps = await lab.trace(() => campaign.contribute(lab.alice, ONE));
    expect(steps.every(({ exitCode }) => exitCode === 0)).to.equal(true);
  });

  it('believes its helpers alone', async () => {
    const campaign = await lab.start();
    const body = bodyOf(acceptContribution, { queryId: 1n, amount: ONE, owner: lab.bob.address });
    expect(await exitOf(campaign, lab.bob, body)).to.equal(103);
    expect((await campaign.state()).total).to.equal(0n);
  });

  it('takes coins, is upgraded by its DAO alone, and throws on what it does not know', async () => {
    const campaign = await lab.start();
    expect(await exitOf(campaign, lab.bob, Cell.EMPTY)).to.equal(0);
    expect(await exitOf(campaign, lab.bob, comment('rent'))).to.equal(0);
    expect(await exitOf(campaign, lab.bob, beginCell().storeUint(7, 32).endCell())).to.equal(0xffff);
    const longer = beginCell()
      .store(contribute.store({ queryId: 1n, amount: ONE }))
      .storeBit(true)
      .endCell();
    expect(await exitOf(campaign, lab.bob, longer, 2n * ONE)).to.equal(9);
    const body = bodyOf(upgrade, { queryId: 1n, code: codeOf('subaccount') });
    expect(await exitOf(campaign, lab.bob, body)).to.equal(77);
    expect(await exitOf(campaign, lab.owner, body)).to.equal(0);
    expect(await give(campaign, lab.alice, ONE)).to.equal(0xffff);
  });
});
