import { expect } from 'chai';
import { fetchMetadata } from '../../indexer/fetch-metadata.ts';
import type { JettonMetadataRecord } from '../../shared/event-log/record.ts';
import { FakeChain } from './fake-chain.ts';
import { FakeDao } from './fake-dao.ts';
import { caughtUp, index, recordsIn, until, withLog } from './indexing.ts';

describe('off-chain jetton metadata', () => {
  const uri = 'https://jetton.example/gp.json';

  function story() {
    const chain = new FakeChain();
    const dao = new FakeDao(chain, 'harbour', [], uri);
    chain.seal();
    return { chain, dao };
  }

  it('is logged as it was fetched, once for each content, across restarts', () =>
    withLog(async (log) => {
      const { chain, dao } = story();
      const fetched: string[] = [];
      const options = {
        fetchMetadata: async (asked: string) => {
          fetched.push(asked);
          return { name: asked.length };
        },
      };
      const logged = async () =>
        (await recordsIn(log)).filter((one): one is JettonMetadataRecord => one.type === 'jetton_metadata');
      for (let run = 0; run < 2; run++) {
        const indexer = index(chain, log, [dao.raw], options);
        await caughtUp(indexer, chain, [dao.raw]);
        await until(async () => (await logged()).length === 1);
        await indexer.stop();
      }
      const other = 'https://jetton.example/other.json';
      const indexer = index(chain, log, [dao.raw], options);
      dao.changeContent(other);
      chain.seal();
      await until(async () => (await logged()).length === 2);
      await indexer.stop();
      expect(fetched).to.deep.equal([uri, other]);
      expect((await logged()).map((one) => [one.account, one.uri, one.metadata])).to.deep.equal([
        [dao.minter.toRawString(), uri, { name: uri.length }],
        [dao.minter.toRawString(), other, { name: other.length }],
      ]);
    }));

  it('is asked for a bounded number of times, and never in the way', () =>
    withLog(async (log) => {
      const { chain, dao } = story();
      let calls = 0;
      const indexer = index(chain, log, [dao.raw], {
        fetchMetadata: async () => {
          calls += 1;
          throw new Error('no such host');
        },
      });
      await caughtUp(indexer, chain, [dao.raw]);
      await until(() => calls === 5);
      for (let n = 0; n < 20; n++) chain.seal();
      await caughtUp(indexer, chain, [dao.raw]);
      await indexer.stop();
      expect(calls).to.equal(5);
    }));

  it('does not delay a stop', () =>
    withLog(async (log) => {
      const { chain, dao } = story();
      const indexer = index(chain, log, [dao.raw], {
        fetchMetadata: (_, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      });
      await caughtUp(indexer, chain, [dao.raw]);
      await indexer.stop();
    }));

  for (const address of [
    'http://jetton.example/gp.json',
    'ipfs://bafy/gp.json',
    'not a url',
    'https://127.0.0.1/gp.json',
    'https://[::1]/gp.json',
    'https://10.0.0.1/gp.json',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/gp.json',
  ]) {
    it(`is not fetched from ${address}`, async () => {
      const error: unknown = await fetchMetadata(address, new AbortController().signal).catch(
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(Error);
      expect(String(error)).to.match(/not https|Not a URL|not allowed/);
    });
  }
});
