import { Address, toNano } from '@ton/core';
import { expect } from 'chai';
import { discoverIn } from '../../indexer/discover.ts';
import { chainTransaction } from '../../shared/chain/transaction.ts';
import type { ContractKind } from '../../shared/contracts/contract-kind.ts';
import { initLpManager } from '../../shared/contracts/crowdfunding/init-lp-manager.ts';
import { onChainContent } from '../../shared/contracts/jetton/content.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { type CampaignLab, DURATION, ONE, openCampaignLab } from '../devnet/campaign-lab.ts';
import type { Step } from '../devnet/lab.ts';
import { lpManagerDeployment } from '../devnet/story/crowdfunding-deployments.ts';

describe('discovery in the contracts of crowdfunding', () => {
  let lab: CampaignLab;

  before(async () => {
    lab = await openCampaignLab();
  });

  after(() => lab.close());

  /** What comes under tracking by these steps, from the accounts known before. */
  function found(steps: Step[], known: Map<string, ContractKind>): Map<string, ContractKind> {
    const all = new Map(known);
    const block = { workchain: 0, shard: '', seqno: 1 };
    for (const { account, transaction } of steps) {
      const kind = all.get(account);
      if (!kind) continue;
      for (const candidate of discoverIn(kind, chainTransaction(account, block, transaction))) {
        all.set(candidate.account, all.get(candidate.account) ?? candidate.kind);
      }
    }
    return all;
  }

  it('finds campaign, helpers, vault and LP wallets', async () => {
    const { alice, bob, world } = lab;
    const vesting = { start: world.now, cliff: 0, duration: DURATION, tgeBps: 5000 };
    const steps = await lab.trace(async () => {
      const campaign = await lab.start({ vesting, name: 'a pier' });
      campaign.contribute(alice, ONE);
      campaign.contribute(bob, ONE);
      await world.settle();
      world.wait(DURATION);
      campaign.finalise(bob);
      await world.settle();
      campaign.claim(alice);
      await world.settle();
      campaign.claimVested(alice);
    });
    const plugins = new Map<string, ContractKind>([
      [lab.crowdfunding.toRawString(), 'crowdfunding'],
      [lab.lpManager.toRawString(), 'lp_manager'],
      [lab.lp.minter.toRawString(), 'lp_minter'],
    ]);
    const all = found(steps, plugins);
    const fresh = [...all.keys()].filter((account) => !plugins.has(account));
    const ofKind = (kind: ContractKind) => fresh.filter((account) => all.get(account) === kind);
    const [vault = ''] = ofKind('vesting_vault');
    expect(ofKind('lp_wallet')).to.have.members(
      [Address.parse(vault), alice.address].map((owner) => lab.lp.walletOf(owner).toRawString()),
    );
    expect(ofKind('helper')).to.have.length(2);
    expect(ofKind('campaign')).to.have.length(1);
    expect(fresh).to.have.length(6);
  });

  it('finds the LP minter, whatever type the DAO keeps for its manager', async () => {
    for (const [index, kind] of (['lp_manager', 'plugin', 'crowdfunding'] as const).entries()) {
      const manager = lpManagerDeployment(lab.owner.address, 10 + index, lab.crowdfunding);
      const body = bodyOf(initLpManager, { queryId: 1n, content: onChainContent({ symbol: 'LP' }) });
      const steps = await lab.trace(() =>
        lab.world.send(lab.owner, { to: manager.address, value: toNano('0.5'), init: manager.init, body }),
      );
      const all = found(steps, new Map([[manager.address.toRawString(), kind]]));
      const state = await lab.world.get(manager.address, 'get_lp_manager_data');
      state.skip(3);
      expect([...all].slice(1)).to.deep.equal([[state.readAddress().toRawString(), 'lp_minter']]);
    }
  });
});
