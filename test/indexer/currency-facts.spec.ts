import { beginCell, Cell } from '@ton/core';
import { expect } from 'chai';
import { LogAppender } from '../../indexer/append.ts';
import { type CurrencyFacts, currencyFacts } from '../../indexer/currency-facts.ts';
import { patientChain } from '../../indexer/patient-chain.ts';
import { defaultLimits, type Session } from '../../indexer/session.ts';
import { TrackedAccounts } from '../../indexer/tracked-accounts.ts';
import { offChainContent, onChainContent } from '../../shared/contracts/jetton/content.ts';
import { RetryableError } from '../../shared/errors.ts';
import type { LogWriter } from '../../shared/event-log/event-log.ts';
import { FakeChain } from './fake-chain.ts';
import { addressOf, unknownCode } from './fake-dao.ts';
import { silent } from './indexing.ts';

describe('the currency of a campaign', () => {
  const minter = addressOf('currency').toRawString();
  const uri = 'https://currency.example/c.json';

  function chainTelling(content: Cell | null): FakeChain {
    const chain = new FakeChain();
    chain.transact(addressOf('currency'), { state: { code: unknownCode('currency'), data: Cell.EMPTY } });
    chain.seal();
    if (content) {
      const none = { type: 'null' } as const;
      chain.answers.set(`${minter} get_jetton_data`, [none, none, none, { type: 'cell', cell: content }]);
    }
    return chain;
  }

  async function factsOf(
    chain: FakeChain,
    fetched: Record<string, unknown> | null = null,
    of = minter,
  ): Promise<Omit<CurrencyFacts, 'minter'> & { fetches: number }> {
    let fetches = 0;
    const { signal } = new AbortController();
    const tracked = new TrackedAccounts();
    const session: Session = {
      chain: patientChain(chain, signal, silent),
      log: new LogAppender({} as LogWriter, tracked),
      tracked,
      logger: silent,
      fetchMetadata: async () => {
        fetches += 1;
        if (!fetched) throw new Error('no such host');
        return fetched;
      },
      signal,
      clock: () => 0,
      limits: defaultLimits,
    };
    const { minter: named, ...facts } = await currencyFacts(session, of, 1);
    expect(named).to.equal(of);
    return { ...facts, fetches };
  }

  const nothing = { symbol: null, decimals: null, image: null, fetches: 0 };

  it('is told by the content on the chain', async () => {
    const content = { symbol: 'USD', decimals: '6', image: 'https://c.example/c.png' };
    expect(await factsOf(chainTelling(onChainContent({ ...content, uri })))).to.deep.equal({
      ...content,
      decimals: 6,
      fetches: 0,
    });
  });

  it('has 9 decimals where known metadata name none', async () => {
    expect(await factsOf(chainTelling(onChainContent({ symbol: 'C' })))).to.include({ decimals: 9 });
    expect(await factsOf(chainTelling(offChainContent(uri)), { symbol: 'C' })).to.include({ decimals: 9 });
    expect(await factsOf(chainTelling(onChainContent({ symbol: 'C', uri })))).to.include({
      symbol: 'C',
      decimals: null,
      fetches: 1,
    });
  });

  for (const [decimals, expected] of [
    ['0', 0],
    [18, 18],
    ['255', 255],
    ['256', null],
    [-1, null],
    [1.5, null],
    ['', null],
    ['nine', null],
    ['0x9', null],
    [['9'], null],
  ] as const) {
    it(`has ${expected} decimals where they are ${JSON.stringify(decimals)}`, async () => {
      expect(await factsOf(chainTelling(offChainContent(uri)), { decimals })).to.include({
        decimals: expected,
      });
    });
  }

  it('believes the chain before what is off it', async () => {
    const chain = chainTelling(onChainContent({ symbol: 'USD', uri }));
    const fetched = { symbol: 'EUR', decimals: 6, image: 'https://c.example/c.png' };
    expect(await factsOf(chain, fetched)).to.deep.equal({ ...fetched, symbol: 'USD', fetches: 1 });
  });

  it('takes over no text without end', async () => {
    const fetched = { symbol: 'S'.repeat(65), image: `data:${'x'.repeat(4000)}` };
    expect(await factsOf(chainTelling(offChainContent(uri)), fetched)).to.include({
      symbol: null,
      image: null,
    });
  });

  it('is unknown where its metadata cannot be fetched; it is tried once', async () => {
    expect(await factsOf(chainTelling(offChainContent(uri)))).to.deep.equal({ ...nothing, fetches: 1 });
  });

  it('is unknown where it is no jetton, not there, or its content is of no known form', async () => {
    expect(await factsOf(chainTelling(null))).to.deep.equal(nothing);
    const absent = addressOf('nobody').toRawString();
    expect(await factsOf(chainTelling(null), null, absent)).to.deep.equal(nothing);
    for (const content of [
      Cell.EMPTY,
      beginCell().storeUint(0x77, 8).endCell(),
      beginCell().storeUint(0, 8).endCell(),
    ]) {
      expect(await factsOf(chainTelling(content))).to.deep.equal(nothing);
    }
  });

  it('is unknown where no server can run its code, and known where one is only ill for a while', async () => {
    for (const [failures, symbol] of [
      [2, 'USD'],
      [Number.POSITIVE_INFINITY, null],
    ] as const) {
      const chain = chainTelling(onChainContent({ symbol: 'USD' }));
      let calls = 0;
      const ill = Object.assign(Object.create(chain) as FakeChain, {
        runMethod: async (...args: Parameters<FakeChain['runMethod']>) => {
          if (calls++ < failures) throw new RetryableError('CHAIN_UNAVAILABLE', 'status 500');
          return chain.runMethod(...args);
        },
      });
      expect((await factsOf(ill)).symbol).to.equal(symbol);
      expect(calls).to.equal(3);
    }
  });
});
