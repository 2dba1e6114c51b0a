import { expect } from 'chai';
import { compareLt } from '../../indexer/account-chain.ts';
import { FakeChain } from './fake-chain.ts';
import { addressOf, FakeDao } from './fake-dao.ts';
import { indexUpToHead, ltsByAccount, recordsIn, transactionsOf, withLog } from './indexing.ts';

describe('backfill of a DAO', () => {
  const chain = new FakeChain();
  const dao = new FakeDao(chain);
  const [ann, bob, cyn] = [addressOf('ann'), addressOf('bob'), addressOf('cyn')];
  const plugin = addressOf('plugin');
  chain.seal();
  for (let n = 0; n < 45; n++) dao.mint(ann);
  chain.seal();
  const proposal = dao.propose();
  dao.transfer(ann, bob);
  dao.transfer(bob, cyn);
  chain.transact(plugin, {});
  dao.addPlugin(plugin);
  chain.seal();
  const tree = [
    dao.address,
    dao.minter,
    dao.walletOf(ann),
    dao.walletOf(bob),
    dao.walletOf(cyn),
    proposal,
    plugin,
  ];

  it('finds the whole tree and reads each account from its first transaction, in order, without a hole', () =>
    withLog(async (log) => {
      await indexUpToHead(chain, log, [dao.raw]);
      const records = await recordsIn(log);
      const lts = ltsByAccount(records);
      expect([...lts.keys()]).to.have.members(tree.map((address) => address.toRawString()));
      const previous = new Map<string, string>();
      for (const { account, prevHash, hash, prevLt } of transactionsOf(records)) {
        expect(prevHash).to.equal(previous.get(account) ?? '0'.repeat(64));
        if (!previous.has(account)) expect(prevLt).to.equal('0');
        previous.set(account, hash);
      }
      for (const [account, list] of lts) expect(list).to.have.length(chain.lengthOf(account));
    }));

  it('tells of the DAO first, of each account before its transactions, and of completeness last', () =>
    withLog(async (log) => {
      await indexUpToHead(chain, log, [dao.raw], { limits: { recordsPerAppend: 7 } });
      const records = await recordsIn(log);
      expect(records[0]).to.include({ type: 'dao', status: 'tracked' });
      expect(records.at(-1)).to.include({ type: 'dao', status: 'complete' });
      const known = new Set<string>();
      for (const record of records) {
        if (record.type === 'account') known.add(record.account);
        if (record.type === 'transaction') expect(known.has(record.account)).to.equal(true);
      }
      const lts = transactionsOf(records).map(({ lt }) => lt);
      expect(lts).to.deep.equal(lts.toSorted(compareLt));
    }));

  it('fetches again what memory did not allow to keep', () =>
    withLog(async (log) => {
      await indexUpToHead(chain, log, [dao.raw], { limits: { bytesHeld: 1 } });
      for (const [account, list] of ltsByAccount(await recordsIn(log))) {
        expect(list).to.have.length(chain.lengthOf(account));
      }
    }));

  it('reports what is done and known', () =>
    withLog(async (log) => {
      const seen: { done: number; known: number }[] = [];
      await indexUpToHead(chain, log, [dao.raw], {
        onProgress: ({ transactions }) => seen.push(transactions),
      });
      const all = tree.reduce((sum, address) => sum + chain.lengthOf(address.toRawString()), 0);
      expect(seen.at(-1)).to.deep.equal({ done: all, known: all });
    }));
});
