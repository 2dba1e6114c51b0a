import { type Address, beginCell, Cell } from '@ton/core';
import { expect } from 'chai';
import fc from 'fast-check';
import type { ChainPoint } from '../../shared/chain/chain-client.ts';
import type { EventLog } from '../../shared/event-log/event-log.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { FakeChain } from './fake-chain.ts';
import { FakeCrowdfunding } from './fake-crowdfunding.ts';
import { addressOf, FakeDao, internalTransferBody, stranger, toMessage, unknownCode } from './fake-dao.ts';
import {
  caughtUp,
  index,
  indexUpToHead,
  ltsByAccount,
  recordsIn,
  transactionsOf,
  until,
  withLog,
} from './indexing.ts';

/** All of each account's transaction records, in the order of the log. */
function byAccount(records: LogRecord[]): Record<string, LogRecord[]> {
  const accounts: Record<string, LogRecord[]> = {};
  for (const record of transactionsOf(records)) (accounts[record.account] ??= []).push(record);
  return accounts;
}

async function backfilled(chain: FakeChain, daos: string[]): Promise<LogRecord[]> {
  let records: LogRecord[] = [];
  await withLog(async (log) => {
    await indexUpToHead(chain, log, daos);
    records = await recordsIn(log);
  });
  return records;
}

async function expectLikeBackfill(chain: FakeChain, log: EventLog, daos: string[]): Promise<void> {
  expect(byAccount(await recordsIn(log))).to.deep.equal(byAccount(await backfilled(chain, daos)));
}

describe('following the head', () => {
  const people = ['ann', 'bob', 'cyn', 'dan'].map(addressOf) as [Address, ...Address[]];
  const [ann, bob] = people as [Address, Address, Address, Address];
  const code = unknownCode('dao, second version');

  it('gives each account the same records as a backfill alone, whatever happens between two blocks', function () {
    this.timeout(60_000);
    const crowdfunding = ['start', 'contribute', 'vault', 'issue', 'campaign code', 'role'];
    const act = fc.oneof(
      fc.record({ act: fc.constant('mint' as const), to: fc.nat(3), from: fc.constant(0) }),
      fc.record({ act: fc.constant('transfer' as const), to: fc.nat(3), from: fc.nat(3) }),
      fc.record({
        act: fc.constantFrom(
          'propose',
          'plugin',
          'upgrade',
          'noise',
          ...crowdfunding,
          'seal',
          'seal',
          'wait',
        ),
        to: fc.nat(3),
        from: fc.constant(0),
      }),
    );
    return fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 30 }), (acts) =>
        withLog(async (log) => {
          const chain = new FakeChain();
          const dao = new FakeDao(chain);
          dao.mint(ann);
          const funding = new FakeCrowdfunding(dao);
          funding.deploy();
          funding.install();
          chain.seal();
          const indexer = index(chain, log, [dao.raw], {
            limits: { recordsPerAppend: 3, blocksPerAppend: 3 },
          });
          const holders = new Set([0]);
          for (const { act: name, to, from } of acts) {
            const [receiver = ann, sender = ann] = [people[to], people[from]];
            if (name === 'mint' || (name === 'transfer' && holders.has(from))) holders.add(to);
            if (name === 'mint') dao.mint(receiver);
            if (name === 'transfer' && holders.has(from)) dao.transfer(sender, receiver);
            if (name === 'propose') dao.propose();
            if (name === 'plugin') dao.addPlugin(addressOf(`plugin ${to}`));
            if (name === 'upgrade') dao.upgrade(code, dao.data);
            if (name === 'noise') chain.transact(addressOf(`plugin ${to}`), { in: toMessage(stranger) });
            const campaign = funding.campaigns.at(-1);
            if (name === 'start') funding.start(`campaign ${to}`);
            if (name === 'contribute' && campaign) funding.contribute(campaign, receiver);
            if (name === 'vault' && campaign) funding.openVault(campaign, receiver);
            if (name === 'campaign code' && campaign) funding.upgradeCampaign(campaign, code);
            if (name === 'issue') funding.issue(receiver);
            if (name === 'role') dao.addPlugin(addressOf(`plugin ${to}`), {}, 'crowdfunding');
            if (name === 'seal') chain.seal();
            if (name === 'wait') await caughtUp(indexer, chain, [dao.raw]);
          }
          chain.seal();
          await caughtUp(indexer, chain, [dao.raw]);
          await indexer.stop();
          await expectLikeBackfill(chain, log, [dao.raw]);
        }),
      ),
      { numRuns: 25 },
    );
  });

  it('heals what a block did not mention at the next transaction of the account', () =>
    withLog(async (log) => {
      const chain = new FakeChain();
      const dao = new FakeDao(chain);
      dao.mint(ann);
      chain.seal();
      const wallet = dao.walletOf(ann).toRawString();
      const indexer = index(chain, log, [dao.raw]);
      await caughtUp(indexer, chain, [dao.raw]);
      chain.unmentioned.add(wallet);
      for (let n = 0; n < 30; n++) dao.transfer(ann, bob);
      chain.seal();
      await caughtUp(indexer, chain, [dao.raw]);
      expect(ltsByAccount(await recordsIn(log)).get(wallet)).to.have.length(1);
      chain.unmentioned.clear();
      dao.transfer(ann, bob);
      chain.seal();
      await caughtUp(indexer, chain, [dao.raw]);
      await indexer.stop();
      await expectLikeBackfill(chain, log, [dao.raw]);
    }));

  it('stops an account whose chain is broken, goes on with the others, and heals it later', () =>
    withLog(async (log) => {
      const chain = new FakeChain();
      const dao = new FakeDao(chain);
      dao.mint(ann);
      dao.mint(bob);
      chain.seal();
      const wallet = dao.walletOf(ann).toRawString();
      const holed = withHole(chain, wallet, () => broken);
      let broken = true;
      const indexer = index(holed, log, [dao.raw]);
      await until(() =>
        indexer.status().daos.some(({ following, behind }) => following && behind.length === 1),
      );
      dao.mint(bob);
      chain.seal();
      await until(async () =>
        (await recordsIn(log)).some((one) => one.type === 'transaction' && one.block.seqno === 2),
      );
      expect(indexer.status().daos[0]).to.deep.include({ complete: false, behind: [wallet] });
      expect(ltsByAccount(await recordsIn(log)).has(wallet)).to.equal(false);
      broken = false;
      await until(() => {
        chain.seal();
        return indexer.status().daos.some(({ complete }) => complete);
      });
      await indexer.stop();
      expect(ltsByAccount(await recordsIn(log)).get(wallet)).to.have.length(1);
      await expectLikeBackfill(chain, log, [dao.raw]);
    }));

  it('says in the log that a DAO is stalled while a chain of it is broken, and complete when it is healed', () =>
    withLog(async (log) => {
      const chain = new FakeChain();
      const dao = new FakeDao(chain);
      dao.mint(ann);
      chain.seal();
      const wallet = dao.walletOf(ann).toRawString();
      let broken = false;
      const holed = withHole(chain, wallet, () => broken);
      const told = async () =>
        (await recordsIn(log)).flatMap((one) => (one.type === 'dao' ? [one.status] : []));
      const indexer = index(holed, log, [dao.raw]);
      await caughtUp(indexer, chain, [dao.raw]);
      broken = true;
      dao.mint(ann);
      chain.seal();
      await until(async () => (await told()).at(-1) === 'stalled');
      broken = false;
      await until(async () => {
        chain.seal();
        return (await told()).at(-1) === 'complete';
      });
      await indexer.stop();
      expect(await told()).to.deep.equal(['tracked', 'complete', 'stalled', 'complete']);
      await expectLikeBackfill(chain, log, [dao.raw]);
    }));

  it('moves the as-of of every partition with blocks that hold nothing of ours', () =>
    withLog(async (log) => {
      const chain = new FakeChain();
      const dao = new FakeDao(chain);
      chain.seal();
      const indexer = index(chain, log, [dao.raw]);
      await caughtUp(indexer, chain, [dao.raw]);
      for (let n = 0; n < 5; n++) chain.seal();
      await caughtUp(indexer, chain, [dao.raw]);
      await indexer.stop();
      const { seqno, now } = await chain.head();
      for (const { asOf } of await log.ends()) expect(asOf).to.deep.equal({ seqno, time: now });
    }));

  it('reads accounts from their chains where it is too far behind for blocks', () =>
    withLog(async (log) => {
      const chain = new FakeChain();
      const dao = new FakeDao(chain);
      chain.seal();
      await indexUpToHead(chain, log, [dao.raw]);
      dao.mint(ann);
      for (let n = 0; n < 20; n++) chain.seal();
      const blockless = Object.assign(Object.create(chain) as FakeChain, { block: async () => null });
      await indexUpToHead(blockless, log, [dao.raw], { limits: { blocksToFollow: 10 } });
      await expectLikeBackfill(chain, log, [dao.raw]);
    }));

  it('tells the code that ran, and notices one that nothing on the chain announced', () =>
    withLog(async (log) => {
      const chain = new FakeChain();
      const dao = new FakeDao(chain);
      chain.seal();
      const indexer = index(chain, log, [dao.raw]);
      await caughtUp(indexer, chain, [dao.raw]);
      dao.upgrade(code, dao.data);
      chain.seal();
      await caughtUp(indexer, chain, [dao.raw]);
      dao.propose();
      chain.seal();
      await caughtUp(indexer, chain, [dao.raw]);
      const surprise = unknownCode('not the code that the message says');
      dao.upgrade(code, dao.data, surprise);
      dao.propose();
      chain.seal();
      await caughtUp(indexer, chain, [dao.raw]);
      dao.propose();
      chain.seal();
      await caughtUp(indexer, chain, [dao.raw]);
      await indexer.stop();
      const records = (await recordsIn(log)).filter(({ account }) => account === dao.raw);
      const [first, second, third] = [dao.daoCode, code, surprise].map((cell) => cell.hash().toString('hex'));
      expect(transactionsOf(records).map(({ codeHash }) => codeHash)).to.deep.equal([
        first,
        first,
        second,
        second,
        second,
        third,
      ]);
      const changes = records.filter((one) => one.type === 'account' && one.reason === 'code_changed');
      expect(changes).to.have.length(1);
      expect(changes[0]).to.include({ codeHash: third });
    }));
});

describe('jetton wallets', () => {
  const ann = addressOf('ann');
  const foreign = { code: unknownCode('a wallet of another make'), data: Cell.EMPTY };
  const wallet = addressOf('foreign wallet');

  /** A chain on which `get_wallet_data` of foreign wallets names this minter. */
  function naming(chain: FakeChain, owner: Address, minter: Address): FakeChain {
    const slice = (address: Address) => ({
      type: 'slice' as const,
      cell: beginCell().storeAddress(address).endCell(),
    });
    return Object.assign(Object.create(chain) as FakeChain, {
      runMethod: async () => ({
        exitCode: 0,
        result: [{ type: 'int', value: 0n }, slice(owner), slice(minter)],
      }),
    });
  }

  it('of an unknown code say themselves whose they are', () =>
    withLog(async (log) => {
      const chain = new FakeChain();
      const dao = new FakeDao(chain);
      chain.transact(dao.minter, { out: [{ to: wallet, body: internalTransferBody() }] });
      chain.transact(wallet, { state: foreign });
      chain.seal();
      await indexUpToHead(naming(chain, ann, dao.minter), log, [dao.raw]);
      const found = (await recordsIn(log)).find((one) => one.type === 'account' && one.kind === 'gp_wallet');
      expect(found).to.deep.include({
        wallet: { owner: ann.toRawString(), minter: dao.minter.toRawString() },
      });
    }));

  it('are not tracked where they name another minter', () =>
    withLog(async (log) => {
      const chain = new FakeChain();
      const dao = new FakeDao(chain);
      chain.transact(dao.minter, { out: [{ to: wallet, body: internalTransferBody() }] });
      chain.transact(wallet, { state: foreign });
      chain.seal();
      await indexUpToHead(naming(chain, ann, stranger), log, [dao.raw]);
      expect((await recordsIn(log)).some(({ account }) => account === wallet.toRawString())).to.equal(false);
    }));

  it('that are not there yet are asked once they are', () =>
    withLog(async (log) => {
      const chain = new FakeChain();
      const dao = new FakeDao(chain);
      chain.transact(dao.minter, { out: [{ to: wallet, body: internalTransferBody() }] });
      chain.seal();
      const server = naming(chain, ann, dao.minter);
      const indexer = index(server, log, [dao.raw]);
      await caughtUp(indexer, chain, [dao.raw]);
      expect((await recordsIn(log)).some(({ account }) => account === wallet.toRawString())).to.equal(false);
      chain.transact(wallet, { state: foreign });
      chain.seal();
      // The prototype's seqno grew; the server's own is its.
      await caughtUp(indexer, chain, [dao.raw]);
      await indexer.stop();
      expect(ltsByAccount(await recordsIn(log)).get(wallet.toRawString())).to.have.length(1);
    }));
});

/** The chain, but of one account the newest transaction of a page is kept back while `broken` says so. */
function withHole(chain: FakeChain, account: string, broken: () => boolean): FakeChain {
  return Object.assign(Object.create(chain) as FakeChain, {
    transactions: async (address: string, point: ChainPoint) => {
      const page = await chain.transactions(address, point);
      return address === account && broken() ? page.slice(1) : page;
    },
  });
}
