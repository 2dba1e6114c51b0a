import { expect } from 'chai';
import { FatalError } from '../../shared/errors.ts';
import { rejection } from '../conformance/subject.ts';
import { FakeChain } from './fake-chain.ts';
import { FakeDao } from './fake-dao.ts';
import { index, indexUpToHead, recordsIn, withLog } from './indexing.ts';

describe('the chain of a log', () => {
  it('is the one that was first indexed into it: another one is refused, the same goes on', () =>
    withLog(async (log) => {
      const chain = new FakeChain();
      const dao = new FakeDao(chain, 'harbour');
      chain.seal();
      await indexUpToHead(chain, log, [dao.raw]);
      const before = (await recordsIn(log)).length;

      const other = new FakeChain('ff'.repeat(32));
      const refused = await rejection(index(other, log, [dao.raw]).done);
      expect(refused).to.be.instanceOf(FatalError).with.property('code', 'LOG_OF_ANOTHER_CHAIN');
      expect(refused).to.have.property('message').that.includes('ff'.repeat(32)).and.includes('DATA_DIR');
      expect(await recordsIn(log)).to.have.length(before);

      chain.seal();
      await indexUpToHead(chain, log, [dao.raw]);
    }));
});
