import { expect } from 'chai';
import type { EventLog } from '../../shared/event-log/event-log.ts';
import { FakeChain } from './fake-chain.ts';
import { addressOf, FakeDao, stranger, toMessage, unknownCode } from './fake-dao.ts';
import { caughtUp, index, ltsByAccount, recordsIn, until, withLog } from './indexing.ts';

describe('tracking', () => {
  const ann = addressOf('ann');

  function twoDaos() {
    const chain = new FakeChain();
    const [harbour, orchard] = [new FakeDao(chain, 'harbour'), new FakeDao(chain, 'orchard')];
    harbour.mint(ann);
    orchard.mint(ann);
    chain.seal();
    return { chain, harbour, orchard };
  }

  async function statusesOf(log: EventLog, dao: string): Promise<string[]> {
    return (await recordsIn(log)).flatMap((one) => (one.type === 'dao' && one.dao === dao ? one.status : []));
  }

  async function stateOf(log: EventLog): Promise<string[]> {
    const writer = await log.openWriter();
    const keys: string[] = [];
    for await (const { key } of writer.state()) keys.push(key);
    await writer.close();
    return keys;
  }

  it('starts with a request while another DAO is followed, and joins it', () =>
    withLog(async (log) => {
      const { chain, harbour, orchard } = twoDaos();
      const indexer = index(chain, log, [harbour.raw]);
      await caughtUp(indexer, chain, [harbour.raw]);
      await log.requestTracking(orchard.raw, true);
      for (let n = 0; n < 30; n++) {
        orchard.mint(ann);
        harbour.mint(ann);
        chain.seal();
        await until(() => (indexer.status().head?.seqno ?? 0) >= chain.seqno - 3);
      }
      await caughtUp(indexer, chain, [harbour.raw, orchard.raw]);
      orchard.mint(ann);
      chain.seal();
      await caughtUp(indexer, chain, [harbour.raw, orchard.raw]);
      await indexer.stop();
      const lts = ltsByAccount(await recordsIn(log));
      for (const dao of [harbour, orchard]) {
        for (const account of [dao.raw, dao.minter.toRawString(), dao.walletOf(ann).toRawString()]) {
          expect(new Set(lts.get(account)).size).to.equal(chain.lengthOf(account));
          expect(lts.get(account)).to.have.length(chain.lengthOf(account));
        }
        expect(await statusesOf(log, dao.raw)).to.deep.equal(['tracked', 'complete']);
      }
    }));

  it('ends with a request, which outweighs the configuration, and leaves no state behind', () =>
    withLog(async (log) => {
      const { chain, harbour, orchard } = twoDaos();
      const indexer = index(chain, log, [harbour.raw, orchard.raw]);
      await caughtUp(indexer, chain, [harbour.raw, orchard.raw]);
      await log.requestTracking(orchard.raw, false);
      await until(() => indexer.status().daos.length === 1);
      orchard.mint(ann);
      harbour.mint(ann);
      chain.seal();
      await caughtUp(indexer, chain, [harbour.raw]);
      await indexer.stop();
      expect(await statusesOf(log, orchard.raw)).to.deep.equal(['tracked', 'complete', 'untracked']);
      const lts = ltsByAccount(await recordsIn(log));
      expect(lts.get(orchard.minter.toRawString())).to.have.length(2);
      expect(lts.get(harbour.minter.toRawString())).to.have.length(3);
      expect((await stateOf(log)).filter((key) => key.includes(orchard.raw))).to.deep.equal([]);
    }));

  it('begins anew, from the first transaction, after it ended', () =>
    withLog(async (log) => {
      const { chain, orchard } = twoDaos();
      await log.requestTracking(orchard.raw, true);
      const indexer = index(chain, log, []);
      await caughtUp(indexer, chain, [orchard.raw]);
      await log.requestTracking(orchard.raw, false);
      await until(() => indexer.status().daos.length === 0);
      await log.requestTracking(orchard.raw, true);
      await caughtUp(indexer, chain, [orchard.raw]);
      await indexer.stop();
      expect(await statusesOf(log, orchard.raw)).to.deep.equal([
        'tracked',
        'complete',
        'untracked',
        'tracked',
        'complete',
      ]);
      const minter = orchard.minter.toRawString();
      expect(ltsByAccount(await recordsIn(log)).get(minter)).to.have.length(2 * chain.lengthOf(minter));
    }));

  it('appends nothing for what is no DAO, and takes it once it is one', () =>
    withLog(async (log) => {
      const { chain, harbour } = twoDaos();
      const other = addressOf('no dao');
      const late = new FakeDao(new FakeChain(), 'late').address;
      chain.transact(other, {
        in: toMessage(stranger),
        state: { code: unknownCode('x'), data: unknownCode('y') },
      });
      chain.seal();
      const indexer = index(chain, log, [harbour.raw, other.toRawString(), late.toRawString()]);
      await caughtUp(indexer, chain, [harbour.raw]);
      expect((await recordsIn(log)).every(({ dao }) => dao === harbour.raw)).to.equal(true);
      expect(new FakeDao(chain, 'late').raw).to.equal(late.toRawString());
      chain.seal();
      await caughtUp(indexer, chain, [harbour.raw, late.toRawString()]);
      await indexer.stop();
      expect((await recordsIn(log)).some(({ dao }) => dao === other.toRawString())).to.equal(false);
    }));
});
