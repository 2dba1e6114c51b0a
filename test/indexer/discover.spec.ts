import { type Address, beginCell, Cell } from '@ton/core';
import { expect } from 'chai';
import { pagesBack } from '../../indexer/account-chain.ts';
import { discoverIn } from '../../indexer/discover.ts';
import { daoStorageOf, namedInStorage } from '../../indexer/discover-dao.ts';
import type { ChainPoint } from '../../shared/chain/chain-client.ts';
import type { ChainTransaction } from '../../shared/chain/transaction.ts';
import { type ContractKind, contractKinds } from '../../shared/contracts/contract-kind.ts';
import { FakeChain, type Happening } from './fake-chain.ts';
import { FakeCrowdfunding } from './fake-crowdfunding.ts';
import { addressOf, FakeDao, internalTransferBody, stranger, toMessage, unknownCode } from './fake-dao.ts';

describe('discovery', () => {
  const chain = new FakeChain();
  const plugin = addressOf('plugin');
  const dao = new FakeDao(chain, 'harbour', [plugin]);
  const ann = addressOf('ann');
  const some = { code: unknownCode('some'), data: Cell.EMPTY };

  async function lastOf(address: Address): Promise<ChainTransaction> {
    const account = address.toRawString();
    const { last } = await chain.account(chain.seqno, account);
    const { value } = await pagesBack(chain, account, last as ChainPoint, null).next();
    const [newest] = value as ChainTransaction[];
    if (!newest) throw new Error('no transaction');
    return newest;
  }

  async function found(kind: ContractKind, address: Address, happening: Happening): Promise<string[]> {
    chain.transact(address, happening);
    return discoverIn(kind, await lastOf(address)).map((one) => `${one.kind} ${one.account}`);
  }

  it('of a DAO follows what its storage named at deployment', async () => {
    expect(
      discoverIn('dao', await lastOf(dao.address)).map(({ account, kind }) => ({ account, kind })),
    ).to.deep.equal([
      { account: dao.minter.toRawString(), kind: 'gp_minter' },
      { account: plugin.toRawString(), kind: 'plugin' },
    ]);
  });

  it('of a DAO follows the proposals that it deploys and the plugins that it installs', async () => {
    const proposal = dao.propose();
    const [one] = discoverIn('dao', await lastOf(dao.address));
    expect(one).to.include({ kind: 'proposal', account: proposal.toRawString(), parent: dao.raw });
    const other = addressOf('other plugin');
    dao.addPlugin(other);
    expect(discoverIn('dao', await lastOf(dao.address))).to.deep.include.members([
      { kind: 'subaccount', account: other.toRawString(), parent: dao.raw, init: null },
    ]);
  });

  it('of a DAO gives a plugin the role that the DAO keeps, else that of some plugin', async () => {
    for (const [type, kind] of [
      ['lp_manager', 'lp_manager'],
      ['crowdfunding', 'crowdfunding'],
      ['subaccount', 'subaccount'],
      ['unknown', 'plugin'],
    ] as const) {
      dao.addPlugin(plugin, {}, type);
      expect(discoverIn('dao', await lastOf(dao.address)).map((one) => one.kind)).to.deep.equal([kind]);
    }
    const storage = daoStorageOf('00'.repeat(32), dao.data.toBoc().toString('base64'));
    const [info] = storage?.plugins.values() ?? [];
    if (!storage || !info) throw new Error('no plugin');
    for (const [type, kind] of ['plugin', 'lp_manager', 'crowdfunding', 'subaccount', 'plugin'].entries()) {
      storage.plugins.set(plugin, { ...info, type });
      expect(namedInStorage(dao.raw, storage).map((one) => one.kind)).to.include.members([kind]);
    }
  });

  it('ignores what failed', async () => {
    dao.addPlugin(addressOf('no plugin'), { exitCode: 77 });
    expect(discoverIn('dao', await lastOf(dao.address))).to.deep.equal([]);
  });

  it('of minter and wallets follows the internal transfers that they send', async () => {
    const to = dao.walletOf(ann);
    const out = [{ to, body: internalTransferBody() }, { to: stranger }];
    const wallet = addressOf('wallet');
    for (const [kind, from, child] of [
      ['gp_minter', dao.minter, 'gp_wallet'],
      ['gp_wallet', wallet, 'gp_wallet'],
      ['lp_minter', dao.minter, 'lp_wallet'],
      ['lp_wallet', wallet, 'lp_wallet'],
    ] as const) {
      expect(await found(kind, from, { out, state: some })).to.deep.equal([`${child} ${to.toRawString()}`]);
    }
    for (const kind of contractKinds.filter((one) => !one.endsWith('_minter') && !one.endsWith('_wallet'))) {
      expect(await found(kind, addressOf(kind), { out, state: some })).to.deep.equal([]);
    }
  });

  it('takes nothing from what strangers send', async () => {
    const crowdfunding = new FakeCrowdfunding(dao, 'of strangers');
    crowdfunding.deploy();
    const campaign = crowdfunding.start('a');
    crowdfunding.contribute(campaign, ann);
    const sent = await Promise.all([crowdfunding.plugin, campaign].map(lastOf));
    const bodies = sent.flatMap(({ out }) => out.map(({ body }) => Cell.fromBase64(body)));
    for (const body of [internalTransferBody(), ...bodies]) {
      for (const kind of contractKinds) {
        const happening = { in: toMessage(dao.minter, body), state: some };
        expect(await found(kind, addressOf(`${kind} 2`), happening)).to.deep.equal([]);
      }
    }
  });

  it('takes no StateInit that does not hash to its address', async () => {
    const wallet = addressOf('a wallet');
    chain.transact(wallet, {
      out: [{ to: dao.walletOf(ann), body: internalTransferBody(), init: dao.walletInit(stranger) }],
      state: some,
    });
    expect((await lastOf(wallet)).out[0]?.init).to.equal(null);
  });

  it('knows the storage of a DAO from what is none', () => {
    const notOne = beginCell().storeUint(1, 8).endCell().toBoc().toString('base64');
    expect(daoStorageOf('00'.repeat(32), notOne)).to.equal(null);
    expect(daoStorageOf(null, null)).to.equal(null);
  });
});
