import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ChainClient, createChainClient } from '../../shared/chain/chain-client.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { type Devnet, startDevnet } from '../devnet/devnet.ts';
import { caughtUp, index, indexUpToHead, recordsIn, transactionsOf, until, withLog } from './indexing.ts';

function byAccount(records: LogRecord[]): Record<string, LogRecord[]> {
  const accounts: Record<string, LogRecord[]> = {};
  for (const record of transactionsOf(records)) (accounts[record.account] ??= []).push(record);
  return accounts;
}

describe('the story of the devnet', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'devnet-'));
  let devnet: Devnet;
  let chain: ChainClient;
  let daos: string[];
  let whole: LogRecord[] = [];
  /** The last block of the story. */
  let told = 0;

  before(async () => {
    devnet = await startDevnet({ dataDir, port: 0 });
    chain = createChainClient({ endpoints: [{ url: devnet.url }], retryDelayMs: 5 });
    told = devnet.head();
    daos = devnet.story.daos.map(({ address }) => address);
    await withLog(async (log) => {
      await indexUpToHead(chain, log, daos);
      whole = await recordsIn(log);
    });
  });

  after(async () => {
    await devnet.close();
    rmSync(dataDir, { recursive: true });
  });

  it('is read whole: every account up to its newest transaction, with the code that ran', async () => {
    const { seqno } = await chain.head();
    const newest = new Map(transactionsOf(whole).map((record) => [record.account, record]));
    const accounts = whole.filter((one) => one.type === 'account');
    expect(accounts.length).to.be.greaterThan(100);
    for (const record of accounts) {
      expect(record.reason).to.equal('discovered');
      const state = await chain.accountLite(seqno, record.account);
      expect(newest.get(record.account)?.lt ?? null).to.equal(state.last?.lt ?? null);
    }
    for (const { codeHash, success } of transactionsOf(whole))
      if (success) expect(codeHash).to.not.equal(null);
  });

  it('knows the owner and minter of every wallet, and each proposal of the story', () => {
    const accounts = whole.filter((one) => one.type === 'account');
    for (const { kind, wallet } of accounts) expect(wallet !== null).to.equal(kind.endsWith('_wallet'));
    const proposals = accounts.filter(({ kind }) => kind === 'proposal').map(({ account }) => account);
    expect(proposals).to.include.members(devnet.story.proposals.map(({ address }) => address));
  });

  it('gives the same records when it is followed block by block through a server that fails', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'devnet-'));
    let calls = 0;
    const paced = await startDevnet({
      dataDir: folder,
      port: 0,
      pace: 400,
      faults: [
        async (context, next) => {
          if (++calls % 13 !== 0) return next();
          context.status = 500;
          context.body = 'internal failure';
        },
      ],
    });
    try {
      const server = createChainClient({ endpoints: [{ url: paced.url }], retryDelayMs: 5 });
      await withLog(async (log) => {
        const indexer = index(server, log, daos, { limits: { blocksPerAppend: 5, pollMs: 20, retryMs: 50 } });
        await until(() => paced.head() >= told);
        await caughtUp(indexer, server, daos);
        await indexer.stop();
        expect(byAccount(await recordsIn(log))).to.deep.equal(byAccount(whole));
      });
    } finally {
      await paced.close();
      rmSync(folder, { recursive: true });
    }
  });
});
