import { type Address, beginCell, Cell, toNano } from '@ton/core';
import { expect } from 'chai';
import {
  type CampaignParams,
  storeCampaignParams,
} from '../../shared/contracts/crowdfunding/campaign-params.ts';
import { daoFee } from '../../shared/contracts/crowdfunding/dao-fee.ts';
import { initLpManager } from '../../shared/contracts/crowdfunding/init-lp-manager.ts';
import { issueLp } from '../../shared/contracts/crowdfunding/issue-lp.ts';
import { registerCampaign } from '../../shared/contracts/crowdfunding/register-campaign.ts';
import { withdraw } from '../../shared/contracts/crowdfunding/withdraw.ts';
import { startCampaign } from '../../shared/contracts/governance/start-campaign.ts';
import { upgrade } from '../../shared/contracts/governance/upgrade.ts';
import { loadJettonContent } from '../../shared/contracts/jetton/content.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { type CampaignLab, cameBack, exitAt, openCampaignLab } from './campaign-lab.ts';
import { codeOf } from './contracts/codes.ts';
import type { Actor } from './story/actor.ts';
import { lpManagerDeployment, subaccountDeployment } from './story/crowdfunding-deployments.ts';

describe('devnet: plugins of crowdfunding', () => {
  let lab: CampaignLab;
  beforeEach(async () => {
    lab = await openCampaignLab();
  });
  afterEach(() => lab.close());

  const exitOf = async (from: Actor, to: Address, body: Cell, value = toNano('0.2')) =>
    exitAt(await lab.send(from, { to, body, value }), to);
  const cellOf = (params: CampaignParams) => beginCell().store(storeCampaignParams(params)).endCell();
  const start = (params: Cell) => bodyOf(startCampaign, { queryId: 1n, params });
  const registered = async () => {
    const data = await lab.world.get(lab.lpManager, 'get_lp_manager_data');
    const head = [data.readAddress(), data.readNumber(), data.readAddress(), data.readAddress()];
    const campaigns = data.readCellOpt()?.beginParse();
    return { head: head.map(String), campaigns };
  };

  describe('crowdfunding plugin', () => {
    it('starts campaigns for its DAO alone, numbered from 1, and registers them', async () => {
      const { crowdfunding, owner, bob, lpManager, world } = lab;
      const body = start(cellOf(lab.params()));
      expect(await exitOf(bob, crowdfunding, body, toNano(1))).to.equal(77);
      expect(await exitOf(owner, crowdfunding, body, toNano('0.49'))).to.equal(48);
      const steps = await lab.send(owner, { to: crowdfunding, body, value: toNano(1) });
      expect(steps.every(({ exitCode }) => exitCode === 0)).to.equal(true);
      expect(exitAt(steps, lpManager)).to.equal(0);
      const data = await world.get(crowdfunding, 'get_crowdfunding_data');
      expect(data.readAddress().equals(owner.address)).to.equal(true);
      expect(data.readBigNumber()).to.equal(2n);
      const first = await world.get(crowdfunding, 'get_campaign_address', [{ type: 'int', value: 1n }]);
      const campaign = first.readAddress();
      expect(exitAt(steps, campaign)).to.equal(0);
      // What is left of the DAO's coin is the campaign's purse.
      expect(Number(lab.coinsOf(campaign))).to.be.within(9e8, 1e9);
      expect((await registered()).campaigns).to.not.equal(undefined);
    });

    it('does not start what nobody could take part in or finish, or what it cannot read', async () => {
      const { crowdfunding, owner } = lab;
      const wrong: Partial<CampaignParams>[] = [
        { startTime: 10, endTime: 10 },
        { lpPrice: 0n },
        { managementFee: 10_001 },
        { minTotal: 2n, maxTotal: 1n },
        { minPerUser: 2n, maxPerUser: 1n },
        { vesting: { start: 0, cliff: 0, duration: 0, tgeBps: 10_001 } },
      ];
      for (const changes of wrong) {
        const body = start(cellOf(lab.params(changes)));
        expect(await exitOf(owner, crowdfunding, body, toNano(1)), Object.keys(changes).join()).to.equal(104);
      }
      const { bits, refs } = cellOf(lab.params());
      const broken = (index: number) => {
        const builder = beginCell().storeBits(bits);
        for (const [at, part] of refs.entries()) builder.storeRef(at === index ? Cell.EMPTY : part);
        return builder.endCell();
      };
      for (const params of [Cell.EMPTY, broken(0), broken(1), broken(2)]) {
        expect(await exitOf(owner, crowdfunding, start(params), toNano(1))).to.equal(9);
      }
    });

    it('is upgraded by its DAO alone and throws on what it does not know', async () => {
      const { crowdfunding, owner, bob } = lab;
      const body = bodyOf(upgrade, { queryId: 1n, code: codeOf('subaccount') });
      expect(await exitOf(bob, crowdfunding, body)).to.equal(77);
      expect(await exitOf(bob, crowdfunding, beginCell().storeUint(5, 32).endCell())).to.equal(0xffff);
      expect(await exitOf(bob, crowdfunding, Cell.EMPTY)).to.equal(0);
      expect(await exitOf(owner, crowdfunding, body)).to.equal(0);
      expect(await exitOf(owner, crowdfunding, start(cellOf(lab.params())), toNano(1))).to.equal(0xffff);
    });
  });

  describe('LP manager', () => {
    it('deploys its minter once, with the content that it is given', async () => {
      const { lpManager, lp, world, owner, crowdfunding, bob } = lab;
      const { head, campaigns } = await registered();
      expect(head).to.deep.equal([owner.address, 0, crowdfunding, lp.minter].map(String));
      expect(campaigns).to.equal(undefined);
      const data = await world.get(lp.minter, 'get_jetton_data');
      expect([data.readBigNumber(), data.readBoolean()]).to.deep.equal([0n, true]);
      expect(data.readAddress().equals(lpManager)).to.equal(true);
      expect(loadJettonContent(data.readCell()).metadata.symbol).to.equal('LP');
      const again = bodyOf(initLpManager, { queryId: 1n, content: Cell.EMPTY });
      expect(await exitOf(bob, lpManager, again)).to.equal(62);
      const empty = lpManagerDeployment(owner.address, 7, crowdfunding);
      await lab.send(bob, { to: empty.address, init: empty.init });
      const none = await world.get(empty.address, 'get_lp_manager_data');
      none.skip(3);
      expect(none.readAddressOpt()).to.equal(null);
      expect(await exitOf(bob, empty.address, again, toNano('0.19'))).to.equal(48);
    });

    it('registers for its plugin alone, and issues for what is registered alone', async () => {
      const { lpManager, bob } = lab;
      const body = bodyOf(registerCampaign, { queryId: 1n, campaign: bob.address });
      expect(await exitOf(bob, lpManager, body)).to.equal(100);
      const issue = { queryId: 1n, to: bob.address, amount: 1n, forwardTonAmount: 0n };
      expect(await exitOf(bob, lpManager, bodyOf(issueLp, issue))).to.equal(101);
    });

    it('is upgraded by its DAO alone and throws on what it does not know', async () => {
      const { lpManager, owner, bob } = lab;
      const body = bodyOf(upgrade, { queryId: 1n, code: codeOf('subaccount') });
      expect(await exitOf(bob, lpManager, body)).to.equal(77);
      expect(await exitOf(bob, lpManager, beginCell().storeUint(5, 32).endCell())).to.equal(0xffff);
      expect(await exitOf(bob, lpManager, Cell.EMPTY)).to.equal(0);
      expect(await exitOf(owner, lpManager, body)).to.equal(0);
    });
  });

  it('subaccount and fee manager pay out what their DAO says, and take what comes', async () => {
    const { owner, alice, bob, world, feeManager } = lab;
    const purse = subaccountDeployment(owner.address, 3, 'Purse');
    await lab.send(bob, { to: purse.address, init: purse.init, value: toNano(5) });
    const data = await world.get(purse.address, 'get_subaccount_data');
    expect(data.readAddress().equals(owner.address)).to.equal(true);
    expect(data.readNumber()).to.equal(3);
    expect(
      (await world.get(feeManager, 'get_fee_manager_data')).readAddress().equals(owner.address),
    ).to.equal(true);
    await lab.send(bob, { to: feeManager, value: toNano(5) });
    const body = bodyOf(withdraw, { queryId: 1n, to: alice.address, amount: toNano(2) });
    for (const address of [purse.address, feeManager]) {
      expect(await exitOf(bob, address, body)).to.equal(77);
      const before = lab.coinsOf(alice.address);
      expect(await exitOf(owner, address, body)).to.equal(0);
      expect(Number(lab.coinsOf(alice.address) - before)).to.be.within(1.99e9, 2e9);
      expect(await exitOf(bob, address, beginCell().storeUint(5, 32).endCell())).to.equal(0xffff);
      const more = bodyOf(withdraw, { queryId: 1n, to: alice.address, amount: toNano(500) });
      expect(cameBack(await lab.send(owner, { to: address, body: more }), owner.address)).to.equal(true);
    }
    expect(await exitOf(bob, feeManager, bodyOf(daoFee, { queryId: 1n, amount: 1n }))).to.equal(0);
  });
});
