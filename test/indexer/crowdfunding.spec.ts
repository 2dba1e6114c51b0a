import { type Address, Cell } from '@ton/core';
import { expect } from 'chai';
import { offChainContent, onChainContent } from '../../shared/contracts/jetton/content.ts';
import type { AccountRecord, LogRecord } from '../../shared/event-log/record.ts';
import { FakeChain } from './fake-chain.ts';
import { FakeCrowdfunding } from './fake-crowdfunding.ts';
import { addressOf, FakeDao, internalTransferBody, unknownCode } from './fake-dao.ts';
import {
  caughtUp,
  index,
  indexUpToHead,
  ltsByAccount,
  recordsIn,
  transactionsOf,
  withLog,
} from './indexing.ts';

describe('crowdfunding', () => {
  const [ann, bob] = [addressOf('ann'), addressOf('bob')];
  const usd = addressOf('usd minter');

  function story(lpUri?: string) {
    const chain = new FakeChain();
    const dao = new FakeDao(chain);
    const crowdfunding = new FakeCrowdfunding(dao, 'harbour', lpUri);
    crowdfunding.deploy();
    chain.transact(usd, { state: { code: unknownCode('usd'), data: Cell.EMPTY } });
    tell(chain, onChainContent({ symbol: 'USD', decimals: '6', image: 'https://usd.example/u.png' }));
    chain.seal();
    return { chain, dao, crowdfunding };
  }

  function tell(chain: FakeChain, content: Cell): void {
    chain.answers.set(`${usd.toRawString()} get_jetton_data`, [
      { type: 'int', value: 0n },
      { type: 'int', value: -1n },
      { type: 'null' },
      { type: 'cell', cell: content },
      { type: 'cell', cell: Cell.EMPTY },
    ]);
  }

  function discovered(records: LogRecord[]): Map<string, AccountRecord> {
    const accounts = records.filter((one) => one.type === 'account' && one.reason === 'discovered');
    return new Map((accounts as AccountRecord[]).map((record) => [record.account, record]));
  }

  const facts = (campaign: Address, { lpMinter }: FakeCrowdfunding, name: string) => ({
    address: campaign.toRawString(),
    name,
    lpMinter: lpMinter.toRawString(),
    currency: {
      minter: usd.toRawString(),
      symbol: 'USD',
      decimals: 6,
      image: 'https://usd.example/u.png',
    },
  });

  it('is found whole, each account in its role, from its first transaction', () =>
    withLog(async (log) => {
      const { chain, dao, crowdfunding } = story();
      crowdfunding.install();
      const campaign = crowdfunding.start('a pier', usd);
      const helper = crowdfunding.contribute(campaign, ann);
      const vault = crowdfunding.openVault(campaign, ann);
      const wallet = crowdfunding.issue(vault);
      const other = crowdfunding.transfer(vault, bob);
      chain.seal();
      await indexUpToHead(chain, log, [dao.raw]);
      const records = await recordsIn(log);
      const accounts = discovered(records);
      const told = facts(campaign, crowdfunding, 'a pier');
      const { plugin, manager, lpMinter } = crowdfunding;
      for (const [account, kind, parent, campaignFacts] of [
        [plugin, 'crowdfunding', dao.address, null],
        [manager, 'lp_manager', dao.address, null],
        [lpMinter, 'lp_minter', manager, null],
        [campaign, 'campaign', plugin, told],
        [helper, 'helper', campaign, told],
        [vault, 'vesting_vault', campaign, told],
        [wallet, 'lp_wallet', lpMinter, null],
        [other, 'lp_wallet', wallet, null],
      ] as const) {
        const record = accounts.get(account.toRawString());
        expect(record).to.include({ kind, parent: parent.toRawString() });
        expect(record?.campaign).to.deep.equal(campaignFacts);
      }
      expect(accounts.get(other.toRawString())?.wallet).to.deep.equal({
        owner: bob.toRawString(),
        minter: lpMinter.toRawString(),
      });
      expect(accounts.has(usd.toRawString())).to.equal(false);
      for (const [account, lts] of ltsByAccount(records)) {
        expect(lts).to.have.length(chain.lengthOf(account));
      }
    }));

  it('keeps what a campaign was discovered with for what comes later, over restarts', () =>
    withLog(async (log) => {
      const { chain, dao, crowdfunding } = story();
      crowdfunding.install();
      const campaign = crowdfunding.start('a pier', usd);
      chain.seal();
      await indexUpToHead(chain, log, [dao.raw]);
      tell(chain, onChainContent({ symbol: 'RENAMED' }));
      const helper = crowdfunding.contribute(campaign, ann);
      chain.seal();
      const indexer = index(chain, log, [dao.raw]);
      await caughtUp(indexer, chain, [dao.raw]);
      const vault = crowdfunding.openVault(campaign, ann);
      chain.seal();
      await caughtUp(indexer, chain, [dao.raw]);
      await indexer.stop();
      const accounts = discovered(await recordsIn(log));
      for (const account of [campaign, helper, vault]) {
        expect(accounts.get(account.toRawString())?.campaign).to.deep.equal(
          facts(campaign, crowdfunding, 'a pier'),
        );
      }
    }));

  it('refuses a campaign that says that it is of another DAO', () =>
    withLog(async (log) => {
      const { chain, dao, crowdfunding } = story();
      crowdfunding.install();
      const campaign = crowdfunding.start('not ours', null, addressOf('another DAO'));
      const ours = crowdfunding.start('ours');
      chain.seal();
      await indexUpToHead(chain, log, [dao.raw]);
      const accounts = discovered(await recordsIn(log));
      expect(accounts.has(campaign.toRawString())).to.equal(false);
      expect(accounts.get(ours.toRawString())?.campaign).to.include({ name: 'ours', currency: null });
    }));

  it('is found whole under plugins that were added with a wrong type first', async () => {
    const played = async (waits: boolean): Promise<string[]> => {
      let roles: string[] = [];
      await withLog(async (log) => {
        const { chain, dao, crowdfunding } = story();
        const indexer = index(chain, log, [dao.raw]);
        const step = async () => {
          chain.seal();
          if (waits) await caughtUp(indexer, chain, [dao.raw]);
        };
        dao.addPlugin(crowdfunding.plugin, {}, 'unknown');
        dao.addPlugin(crowdfunding.manager, {}, 'crowdfunding');
        await step();
        const campaign = crowdfunding.start('early');
        await step();
        crowdfunding.install();
        await step();
        crowdfunding.contribute(campaign, ann);
        crowdfunding.start('late');
        crowdfunding.issue(ann);
        await step();
        await caughtUp(indexer, chain, [dao.raw]);
        await indexer.stop();
        roles = [...discovered(await recordsIn(log)).values()].map(({ kind }) => kind);
      });
      return roles.toSorted();
    };
    const expected = ['campaign', 'campaign', 'crowdfunding', 'dao', 'gp_minter', 'helper'];
    for (const waits of [true, false]) {
      expect(await played(waits)).to.deep.equal([...expected, 'lp_minter', 'lp_wallet', 'plugin']);
    }
  });

  it('gives a plugin the role that it had first, whatever the storage says when the DAO is tracked', () =>
    withLog(async (log) => {
      const chain = new FakeChain();
      const plugin = addressOf('plugin');
      const dao = new FakeDao(chain, 'harbour', [plugin]);
      chain.seal();
      const now = new FakeDao(new FakeChain(), 'harbour', [plugin, addressOf('named in storage alone')]);
      dao.addPlugin(plugin, { state: { code: dao.daoCode, data: now.data } }, 'crowdfunding');
      chain.seal();
      await indexUpToHead(chain, log, [dao.raw]);
      const accounts = discovered(await recordsIn(log));
      expect(accounts.get(plugin.toRawString())).to.include({ kind: 'plugin' });
      expect([...accounts.values()].filter(({ kind }) => kind === 'plugin')).to.have.length(2);
    }));

  it('takes LP wallets of its own LP minter alone', () =>
    withLog(async (log) => {
      const { chain, dao, crowdfunding } = story();
      crowdfunding.install();
      const other = new FakeCrowdfunding(dao, 'other');
      const [foreign, gp] = [other.walletInit(ann), dao.walletInit(ann)];
      chain.transact(other.walletOf(ann), { state: foreign });
      dao.mint(ann);
      chain.transact(crowdfunding.lpMinter, {
        out: [other.walletOf(ann), dao.walletOf(bob)].map((to) => ({ to, body: internalTransferBody() })),
      });
      chain.transact(dao.walletOf(bob), { state: gp });
      chain.seal();
      await indexUpToHead(chain, log, [dao.raw]);
      const wallets = [...discovered(await recordsIn(log)).values()].filter(({ wallet }) => wallet);
      expect(wallets.map(({ account, kind }) => [account, kind])).to.deep.equal([
        [dao.walletOf(ann).toRawString(), 'gp_wallet'],
      ]);
    }));

  it('tells the code that ran in a campaign, with its facts where nothing announced it', () =>
    withLog(async (log) => {
      const { chain, dao, crowdfunding } = story();
      crowdfunding.install();
      const campaign = crowdfunding.start('a pier', usd);
      chain.seal();
      const indexer = index(chain, log, [dao.raw]);
      await caughtUp(indexer, chain, [dao.raw]);
      const [second, third] = [unknownCode('second'), unknownCode('third')];
      crowdfunding.upgradeCampaign(campaign, second);
      crowdfunding.contribute(campaign, ann);
      chain.seal();
      await caughtUp(indexer, chain, [dao.raw]);
      crowdfunding.upgradeCampaign(campaign, second);
      chain.transact(campaign, { state: { code: third, data: Cell.EMPTY } });
      chain.seal();
      await caughtUp(indexer, chain, [dao.raw]);
      await indexer.stop();
      const records = (await recordsIn(log)).filter(({ account }) => account === campaign.toRawString());
      const [first, next] = [unknownCode('campaign'), second].map((code) => code.hash().toString('hex'));
      expect(transactionsOf(records).map(({ codeHash }) => codeHash)).to.deep.equal([
        first,
        first,
        next,
        next,
        next,
      ]);
      const changed = records.find((one) => one.type === 'account' && one.reason === 'code_changed');
      expect(changed).to.deep.include({
        codeHash: third.hash().toString('hex'),
        campaign: facts(campaign, crowdfunding, 'a pier'),
      });
    }));

  it('fetches a currency off the chain once for a block, and goes on without it', () =>
    withLog(async (log) => {
      const { chain, dao, crowdfunding } = story();
      tell(chain, offChainContent('https://usd.example/usd.json'));
      crowdfunding.install();
      const campaigns = ['a', 'b'].map((name) => crowdfunding.start(name, usd));
      chain.seal();
      const fetched: string[] = [];
      await indexUpToHead(chain, log, [dao.raw], {
        fetchMetadata: async (uri) => {
          fetched.push(uri);
          throw new Error('no such host');
        },
      });
      expect(fetched).to.deep.equal(['https://usd.example/usd.json']);
      const accounts = discovered(await recordsIn(log));
      for (const campaign of campaigns) {
        expect(accounts.get(campaign.toRawString())?.campaign?.currency).to.deep.equal({
          minter: usd.toRawString(),
          symbol: null,
          decimals: null,
          image: null,
        });
      }
    }));

  it('has the off-chain metadata of its LP minter fetched', () =>
    withLog(async (log) => {
      const uri = 'https://lp.example/lp.json';
      const { chain, dao, crowdfunding } = story(uri);
      crowdfunding.install();
      chain.seal();
      const indexer = index(chain, log, [dao.raw], { fetchMetadata: async () => ({ symbol: 'LP' }) });
      let found: LogRecord | undefined;
      while (!found) {
        await caughtUp(indexer, chain, [dao.raw]);
        found = (await recordsIn(log)).find(({ type }) => type === 'jetton_metadata');
      }
      await indexer.stop();
      expect(found).to.deep.include({
        kind: 'lp_minter',
        account: crowdfunding.lpMinter.toRawString(),
        uri,
        metadata: { symbol: 'LP' },
      });
    }));
});
