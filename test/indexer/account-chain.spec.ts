import { expect } from 'chai';
import { pagesBack } from '../../indexer/account-chain.ts';
import type { ChainClient, ChainPoint, PlacedTransaction } from '../../shared/chain/chain-client.ts';
import type { ChainTransaction } from '../../shared/chain/transaction.ts';
import { RetryableError } from '../../shared/errors.ts';
import { FakeChain } from './fake-chain.ts';
import { addressOf, toMessage } from './fake-dao.ts';

describe('the chain of an account', () => {
  const chain = new FakeChain();
  const [ann, bob] = [addressOf('ann'), addressOf('bob')];
  const account = ann.toRawString();
  for (let n = 0; n < 47; n++) {
    chain.transact(ann, { in: toMessage(ann) });
    chain.transact(bob, { in: toMessage(bob) });
  }
  chain.seal();

  const newest = async () => (await chain.account(1, account)).last as ChainPoint;

  async function read(server: ChainClient, known: ChainPoint | null = null): Promise<ChainTransaction[]> {
    const all: ChainTransaction[] = [];
    for await (const page of pagesBack(server, account, await newest(), known)) all.push(...page);
    return all;
  }

  /** The same chain as a server would tell it that falsifies its pages. */
  function telling(falsify: (page: PlacedTransaction[], call: number) => PlacedTransaction[]): ChainClient {
    let calls = 0;
    return Object.assign(Object.create(chain) as FakeChain, {
      transactions: async (address: string, point: ChainPoint) =>
        falsify(await chain.transactions(address, point), calls++),
    });
  }

  async function refusal(server: ChainClient, known: ChainPoint | null = null): Promise<RetryableError> {
    try {
      await read(server, known);
    } catch (error) {
      if (error instanceof RetryableError) return error;
      throw error;
    }
    throw new Error('the chain was accepted');
  }

  it('is read over several pages down to its first transaction', async () => {
    const all = await read(chain);
    expect(all).to.have.length(47);
    expect(all.at(-1)?.prevLt).to.equal('0');
  });

  it('ends before the last known transaction, wherever that lies in a page', async () => {
    const all = await read(chain);
    for (const [index, known] of all.entries()) {
      expect(await read(chain, known)).to.deep.equal(all.slice(0, index));
    }
  });

  it('breaks where the server has no further page', async () => {
    expect(await refusal(telling((page, call) => (call === 1 ? [] : page)))).to.include({
      code: 'CONTINUITY_BROKEN',
    });
  });

  it('breaks where a transaction is left out', async () => {
    for (const missing of [0, 7, 18]) {
      const server = telling((page) => page.toSpliced(missing, 1));
      expect((await refusal(server)).code).to.equal('CONTINUITY_BROKEN');
    }
  });

  it('breaks where a transaction is another one than was asked for', async () => {
    const others = await chain.transactions(
      bob.toRawString(),
      (await chain.account(1, bob.toRawString())).last as ChainPoint,
    );
    for (const index of [0, 11]) {
      const server = telling((page) => page.map((one, at) => (at === index ? (others[at] ?? one) : one)));
      expect((await refusal(server)).code).to.equal('CONTINUITY_BROKEN');
    }
  });

  it('breaks where the header says what the hash does not', async () => {
    const server = telling((page) =>
      page.map((one, at) =>
        at === 3 ? { ...one, transaction: { ...one.transaction, hash: () => Buffer.alloc(32, 7) } } : one,
      ),
    );
    expect((await refusal(server)).code).to.equal('CONTINUITY_BROKEN');
  });

  it('breaks where it passes the last known transaction by', async () => {
    const [, , third] = await read(chain);
    const forged = { lt: third?.lt ?? '', hash: '7'.repeat(64) };
    expect((await refusal(chain, forged)).code).to.equal('CONTINUITY_BROKEN');
    expect((await refusal(chain, { lt: '999', hash: forged.hash })).code).to.equal('CONTINUITY_BROKEN');
  });

  it('breaks where a transaction of another account has the right place', async () => {
    const wrong = Object.assign(Object.create(chain) as FakeChain, {
      transactions: (_: string, point: ChainPoint) => chain.transactions(account, point),
    });
    const pages = pagesBack(wrong, bob.toRawString(), await newest(), null);
    const error: unknown = await pages.next().catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'CONTINUITY_BROKEN' });
  });
});
