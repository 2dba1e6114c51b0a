import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Address, Cell } from '@ton/core';
import { mnemonicToPrivateKey } from '@ton/crypto';
import { expect } from 'chai';
import { loadCampaignStorage, loadShareStorage } from '../../shared/contracts/crowdfunding/storages.ts';
import { loadWalletStorage } from '../../shared/contracts/jetton/wallet-storage.ts';
import { Chain } from './chain/chain.ts';
import { ChainStore } from './chain/chain-store.ts';
import { codeOf } from './contracts/codes.ts';
import { type Actor, walletActor } from './story/actor.ts';
import { Campaign } from './story/campaign.ts';
import type { StoryFacts } from './story/facts.ts';
import { Jetton } from './story/jetton.ts';
import { tellStory } from './story/tell.ts';
import { STANDING_CLOCK, World } from './story/world.ts';

describe('devnet: what the story leaves', () => {
  let folder: string;
  let store: ChainStore;
  let story: StoryFacts;
  let world: World;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'devnet-roles-'));
    store = new ChainStore(folder);
    story = await tellStory(store);
    const chain = await Chain.open(store);
    // A year after its end.
    world = new World(chain, (chain.head?.utime ?? 0) + 365 * 86_400, STANDING_CLOCK);
  });
  after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const campaignAt = (address: string, operator: Actor = world.giver) =>
    Campaign.resume(world, Address.parse(address), operator);
  const ofCode = (name: Parameters<typeof codeOf>[0]) => {
    const hash = codeOf(name).hash().toString('hex');
    return [...store.latestStates()].filter(({ codeHash }) => codeHash === hash);
  };
  const slice = (data: Uint8Array | undefined) =>
    (Cell.fromBoc(Buffer.from(data ?? []))[0] ?? Cell.EMPTY).beginParse();

  it('in each campaign the sums over its helpers are its totals, and it holds what it says', async () => {
    const owners = new Map<string, Address[]>();
    for (const { data } of ofCode('helper')) {
      const { campaign, owner } = loadShareStorage(slice(data));
      const key = campaign.toRawString();
      owners.set(key, [...(owners.get(key) ?? []), owner]);
    }
    expect(ofCode('campaign').map(({ data }) => loadCampaignStorage(slice(data)).campaignId)).to.have.length(
      16,
    );
    for (const { address } of story.campaigns) {
      const campaign = await campaignAt(address);
      const state = await campaign.state();
      const sums = { total: 0n, claimed: 0n, refunded: 0n };
      for (const owner of owners.get(address) ?? []) {
        const share = await campaign.share(owner);
        sums.total += share?.amount ?? 0n;
        if (share?.claimed) sums.claimed += share.amount;
        if (share?.refunded) sums.refunded += share.amount;
      }
      expect(sums, state.params.name).to.deep.equal({
        total: state.total,
        claimed: state.totalClaimed,
        refunded: state.totalRefunded,
      });
      expect(state.pending).to.equal(0n);
      if (campaign.currency) {
        expect(await campaign.currency.balanceOf(campaign.address)).to.equal(state.held);
      } else {
        const { balance } = store.stateAt(address, world.chain.head?.master.seqno ?? 0) ?? { balance: '0' };
        expect(BigInt(balance) >= state.held).to.equal(true);
      }
    }
  });

  it('the supply of each LP jetton is what its wallets hold', async () => {
    const sums = new Map<string, bigint>();
    for (const { data } of ofCode('lp-wallet')) {
      const { minter, balance } = loadWalletStorage(slice(data));
      sums.set(minter.toRawString(), (sums.get(minter.toRawString()) ?? 0n) + balance);
    }
    expect(sums.size).to.equal(3);
    for (const [minter, sum] of sums) {
      expect(await new Jetton(world, Address.parse(minter)).supply()).to.equal(sum);
    }
  });

  it('every wallet that is handed out can play its role', async () => {
    for (const { address, mnemonic, roles, campaign: where, version } of story.wallets) {
      const seqno = (await world.get(Address.parse(address), 'seqno')).readNumber();
      const actor = walletActor(version, await mnemonicToPrivateKey(mnemonic.split(' ')), seqno);
      expect(actor.address.toRawString()).to.equal(address);
      const open = story.campaigns.filter(({ status, hasWhitelist }) => status === 'active' && !hasWhitelist);
      if (roles.includes('contributor')) {
        let taken = 0;
        for (const campaign of open) taken += Number(await contributes(actor, campaign.address));
        // But for the one that is paused and the one that has not begun.
        expect(taken).to.equal(open.length - 2);
      }
      if (roles.includes('whitelisted')) {
        expect(await contributes(actor, where ?? '')).to.equal(true);
      }
      if (roles.includes('claimable')) {
        const campaign = await campaignAt(where ?? '');
        campaign.claim(actor);
        await world.settle();
        expect((await campaign.share(actor.address))?.claimed).to.equal(true);
      }
      if (roles.includes('vesting')) {
        const campaign = await campaignAt(where ?? '');
        const before = (await campaign.vault(actor.address))?.claimed ?? 0n;
        campaign.claimVested(actor);
        await world.settle();
        expect(Number(((await campaign.vault(actor.address))?.claimed ?? 0n) - before)).to.be.greaterThan(0);
      }
    }
  });

  async function contributes(actor: Actor, address: string): Promise<boolean> {
    const campaign = await campaignAt(address);
    const before = (await campaign.state()).total;
    campaign.contribute(actor, campaign.currency ? 10n ** 6n : 10n ** 9n);
    await world.settle();
    return (await campaign.state()).total > before;
  }
});
