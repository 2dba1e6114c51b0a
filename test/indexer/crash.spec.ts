import { expect } from 'chai';
import { FatalError, RetryableError } from '../../shared/errors.ts';
import type { EventLog, LogWriter } from '../../shared/event-log/event-log.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { FakeChain } from './fake-chain.ts';
import { FakeCrowdfunding } from './fake-crowdfunding.ts';
import { addressOf, FakeDao } from './fake-dao.ts';
import { caughtUp, index, indexUpToHead, recordsIn, until, withLog } from './indexing.ts';

type When = 'before' | 'after';

/** A log whose append number `at` fails, before or after it took effect; and how many there were. */
function failing(log: EventLog, at: number, when: When, error: Error) {
  const seen = { appends: 0 };
  const openWriter = async (): Promise<LogWriter> => {
    const writer = await log.openWriter();
    return {
      state: () => writer.state(),
      close: () => writer.close(),
      append: async (batch) => {
        const fails = seen.appends++ === at;
        if (fails && when === 'before') throw error;
        await writer.append(batch);
        if (fails) throw error;
      },
    };
  };
  const failingLog: EventLog = Object.assign(Object.create(log) as EventLog, { openWriter });
  return { log: failingLog, seen };
}

/** Facts alone: at which block an account was read depends on when that was. */
function facts(records: LogRecord[]): string[] {
  return records.map((record) =>
    record.type === 'account'
      ? `account ${record.account} ${record.reason} ${record.kind} ${record.parent} ${JSON.stringify(record.campaign)}`
      : JSON.stringify(record),
  );
}

describe('a stop between two appends, or within one', () => {
  const limits = { recordsPerAppend: 4, blocksPerAppend: 2 };

  function story() {
    const chain = new FakeChain();
    const dao = new FakeDao(chain);
    const [ann, bob, cyn] = [addressOf('ann'), addressOf('bob'), addressOf('cyn')];
    chain.seal();
    dao.mint(ann);
    dao.transfer(ann, bob);
    dao.propose();
    chain.seal();
    const goOn = () => {
      // A whole tree within one block, with an account that is older than its discovery.
      const plugin = addressOf('plugin');
      for (let n = 0; n < 9; n++) chain.transact(plugin, {});
      dao.addPlugin(plugin);
      dao.transfer(bob, cyn);
      dao.transfer(cyn, ann);
      chain.seal();
      dao.mint(addressOf('dan'));
      const crowdfunding = new FakeCrowdfunding(dao);
      crowdfunding.deploy();
      crowdfunding.install();
      const campaign = crowdfunding.start('a', ann);
      crowdfunding.contribute(campaign, bob);
      chain.seal();
      crowdfunding.issue(crowdfunding.openVault(campaign, bob));
      crowdfunding.issue(cyn);
      crowdfunding.transfer(cyn, bob);
      chain.seal();
    };
    return { chain, dao, goOn };
  }

  async function play(log: EventLog, interrupted: EventLog): Promise<string[]> {
    const { chain, dao, goOn } = story();
    const first = index(chain, interrupted, [dao.raw], { limits });
    await Promise.race([caughtUp(first, chain, [dao.raw]), first.done.catch(() => undefined)]);
    goOn();
    await Promise.race([caughtUp(first, chain, [dao.raw]), first.done.catch(() => undefined)]);
    await first.stop();
    await indexUpToHead(chain, log, [dao.raw], { limits });
    return facts(await recordsIn(log));
  }

  async function appendsOfStory(): Promise<number> {
    let count = 0;
    await withLog(async (log) => {
      const counting = failing(log, -1, 'before', new Error());
      await play(log, counting.log);
      count = counting.seen.appends;
    });
    return count;
  }

  const kinds = { 'a killed process': FatalError, 'an append of unknown outcome': RetryableError };
  for (const [name, ErrorClass] of Object.entries(kinds)) {
    for (const when of ['before', 'after'] as const) {
      it(`leaves the same records: ${name}, ${when} it took effect, at every append`, async () => {
        let whole: string[] = [];
        await withLog(async (log) => {
          whole = await play(log, log);
        });
        expect(new Set(whole).size).to.equal(whole.length);
        const appends = await appendsOfStory();
        expect(appends).to.be.greaterThan(5);
        for (let at = 0; at < appends; at++) {
          await withLog(async (log) => {
            const interrupted = failing(log, at, when, new ErrorClass('INTERRUPTED', 'a test interrupts'));
            const left = await play(log, interrupted.log);
            expect(left.toSorted(), `interrupted at append ${at}`).to.deep.equal(whole.toSorted());
            expect(transactions(left), `order, interrupted at append ${at}`).to.deep.equal(
              transactions(whole),
            );
          });
        }
      });
    }
  }

  it('ends the indexer with a clear error where another one took the log over', () =>
    withLog(async (log) => {
      const { chain, dao, goOn } = story();
      const first = index(chain, log, [dao.raw]);
      await caughtUp(first, chain, [dao.raw]);
      await log.openWriter();
      goOn();
      const error: unknown = await first.done.catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(FatalError).and.to.include({ code: 'WRITER_FENCED' });
      await first.stop();
      await until(() => true);
    }));
});

/** Per account, in the order of the log. */
function transactions(lines: string[]): Record<string, string[]> {
  const byAccount: Record<string, string[]> = {};
  for (const line of lines) {
    if (!line.startsWith('{')) continue;
    const record = JSON.parse(line) as LogRecord;
    if (record.type === 'transaction') (byAccount[record.account] ??= []).push(record.lt);
  }
  return byAccount;
}
