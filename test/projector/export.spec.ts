import { beginCell } from '@ton/core';
import { expect } from 'chai';
import fc from 'fast-check';
import type { EventRow } from '../../projector/export/event-row.ts';
import { toNdjson } from '../../projector/export/ndjson.ts';
import { toParquet } from '../../projector/export/parquet.ts';
import { eventNames } from '../../projector/export/row-schema.ts';
import { type Selection, selectRows } from '../../projector/export/select-rows.ts';
import { contractKinds } from '../../shared/contracts/contract-kind.ts';
import { vote } from '../../shared/contracts/governance/vote.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { InvalidInputError } from '../../shared/errors.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { addressOf, base64, daoStatus, discovered, parsed, transaction } from './chain-of-facts.ts';
import { bytesOf, collect, scannableLog } from './export-log.ts';
import { parquetRowGroups, readParquet } from './read-parquet.ts';
import { DAO, foundation, histories, received, sent, voted, walletDiscovered, walletOf } from './story.ts';

const OTHER = addressOf('other dao');
const START = 1_700_000_000;

/** The history of one DAO beside another one that is hardly there. */
const logs: fc.Arbitrary<LogRecord[]> = histories.map((chains) => [
  ...chains.flat(),
  daoStatus(OTHER, 'tracked'),
  discovered(OTHER, OTHER, 'dao'),
  { ...received('failing', 5n, 50), success: false, dao: OTHER } as LogRecord,
]);

const time = fc.option(fc.integer({ min: START - 5, max: START + 150 }), { nil: undefined });
const someOf = <T>(items: readonly T[]) =>
  fc.option(fc.subarray([...items], { minLength: 1 }), { nil: undefined });
const selections: fc.Arbitrary<Selection> = fc.record({
  from: time,
  to: time,
  daos: someOf([DAO, OTHER]),
  kinds: someOf(contractKinds),
  events: someOf(eventNames),
  all: fc.boolean(),
});

const rows = (records: LogRecord[], selection: Selection = {}, partitions = 1, sizes?: number[]) =>
  collect(selectRows(scannableLog(records, partitions, sizes), selection));

describe('exporting decoded events', () => {
  it('a selection is what its words say of each row', () =>
    fc.assert(
      fc.asyncProperty(logs, selections, async (records, selection) => {
        const every = await rows(records, { all: true });
        expect(await rows(records, selection)).to.deep.equal(every.filter((row) => isWanted(row, selection)));
      }),
      { numRuns: 40 },
    ));

  it('adjoining times make one', () =>
    fc.assert(
      fc.asyncProperty(logs, fc.tuple(fc.nat(150), fc.nat(150), fc.nat(150)), async (records, offsets) => {
        const [a = 0, b = 0, c = 0] = offsets.sort((x, y) => x - y).map((offset) => START + offset);
        const parts = [
          ...(await rows(records, { from: a, to: b })),
          ...(await rows(records, { from: b, to: c })),
        ];
        const whole = await rows(records, { from: a, to: c });
        expect(parts.sort(byPlace)).to.deep.equal(whole);
      }),
      { numRuns: 20 },
    ));

  it('the order is partition, offset, index, and with `all` no record is silent', () =>
    fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 5 }), async (records, partitions) => {
        const all = await rows(records, { all: true }, partitions);
        expect(all).to.deep.equal([...all].sort(byPlace));
        expect(new Set(all.map(({ partition, offset }) => `${partition} ${offset}`)).size).to.equal(
          records.length,
        );
      }),
      { numRuns: 20 },
    ));

  it('the bytes do not depend on how the log is read, and Parquet holds the rows of NDJSON', () =>
    fc.assert(
      fc.asyncProperty(
        logs,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (records, sizes) => {
          const read = (cut?: number[]) => selectRows(scannableLog(records, 3, cut), {});
          const ndjson = await bytesOf(toNdjson(read()));
          const parquet = await bytesOf(toParquet(read()));
          expect((await bytesOf(toNdjson(read(sizes)))).equals(ndjson)).to.equal(true);
          expect((await bytesOf(toParquet(read(sizes)))).equals(parquet)).to.equal(true);
          expect(await readParquet(parquet)).to.deep.equal(parsedLines(ndjson));
        },
      ),
      { numRuns: 20 },
    ));

  it('a time in the past gives the same bytes though the log grows', async () => {
    const before = [...foundation(), walletDiscovered('a'), received('a', 5n, 10)];
    const after = [...before, sent('a', 2n, 20), daoStatus(DAO, 'stalled')];
    const to = START + 20;
    const read = (records: LogRecord[]) => bytesOf(toParquet(selectRows(scannableLog(records), { to })));
    expect((await read(after)).equals(await read(before))).to.equal(true);
    expect(await rows(after, { to })).to.have.length(6);
  });

  it('tells what failed, what tells nothing, what nobody knows and what cannot be read', async () => {
    const account = walletOf('a');
    const wallet = { dao: DAO, account, kind: 'gp_wallet' } as const;
    const body = beginCell().storeUint(0xfeed_beef, 32).storeUint(7, 8).endCell();
    const short = beginCell().storeUint(vote.opcode, 32).endCell();
    const records = [
      transaction({ ...wallet, lt: 1, body }),
      transaction({
        ...wallet,
        lt: 2,
        body: bodyOf(vote, { queryId: 0n, proposal: parsed('p'), expiresAt: 0 }),
        success: false,
      }),
      transaction({ ...wallet, lt: 3 }),
      transaction({ ...wallet, lt: 4, body: short }),
    ];
    const told = await rows(records, { all: true });
    expect(told.map(({ event }) => event)).to.deep.equal(['unknown', 'failed', 'no_event', 'undecodable']);
    const message = { message: null, opcode: '0xfeedbeef', bounced: false, body: base64(body) };
    expect(told[0]?.data).to.deep.equal(message);
    expect(told[1]).to.include({ success: false, lt: '2', value: '1000000000', source: addressOf('sender') });
    expect(told[1]?.data).to.include({ message: vote.name });
    expect(told[3]?.data).to.include({ message: vote.name, body: base64(short) });
    expect((await rows(records)).map(({ event }) => event)).to.deep.equal(['unknown', 'undecodable']);
    expect((await rows(records, { events: ['failed'] })).map(({ lt }) => lt)).to.deep.equal(['2']);
  });

  it('several events of one transaction keep their places, whichever are asked for', async () => {
    const records = [...foundation(), voted(1, 'v', 3n, 20, true)];
    const events = (await rows(records)).filter(({ lt }) => lt === '20');
    expect(events.map(({ event, index }) => [event, index])).to.deep.equal([
      ['vote_cast', 0],
      ['proposal_accepted', 1],
    ]);
    const [accepted] = await rows(records, { events: ['proposal_accepted'] });
    expect(accepted).to.deep.equal(events[1]);
  });

  it('a DAO that the log knows nothing of is refused before the first row', async () => {
    const strangers = [addressOf('nobody')];
    for (const daos of [strangers, [DAO, ...strangers]]) {
      const refused = await rows(foundation(), { daos }).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(InvalidInputError).with.property('code', 'DAO_NOT_IN_LOG');
      expect(String(refused)).to.contain(strangers[0]).and.not.contain(DAO);
    }
  });

  it('row groups are bounded in rows and in bytes, and a file of nothing is one too', async () => {
    const small = Array.from({ length: 25_000 }, (_, i) => daoStatus(DAO, i % 2 ? 'complete' : 'stalled'));
    const file = await bytesOf(toParquet(selectRows(scannableLog(small), {})));
    expect(parquetRowGroups(file)).to.deep.equal([10_000, 10_000, 5000]);
    const fetched = {
      version: 1,
      type: 'jetton_metadata',
      dao: DAO,
      account: DAO,
      kind: 'gp_minter',
    } as const;
    const metadata = { image: 'x'.repeat(4_000_000) };
    const large = Array.from({ length: 20 }, (_, i): LogRecord => ({ ...fetched, uri: String(i), metadata }));
    const wide = await bytesOf(toParquet(selectRows(scannableLog(large, 1, [3]), {})));
    expect(parquetRowGroups(wide)).to.deep.equal([5, 5, 5, 5]);
    const empty = await bytesOf(toParquet(selectRows(scannableLog([]), {})));
    expect(await readParquet(empty)).to.deep.equal([]);
  });
});

function isWanted(row: EventRow, { from, to, daos, kinds, events, all }: Selection): boolean {
  const seconds = row.time === null ? null : Date.parse(row.time) / 1000;
  if (from !== undefined && (seconds === null || seconds < from)) return false;
  if (to !== undefined && (seconds === null || seconds >= to)) return false;
  if (daos && !daos.includes(row.dao)) return false;
  if (kinds && !kinds.includes(row.kind)) return false;
  if (events) return events.includes(row.event);
  return all === true || !['failed', 'no_event'].includes(row.event);
}

function byPlace(a: EventRow, b: EventRow): number {
  return a.partition - b.partition || a.offset - b.offset || a.index - b.index;
}

function parsedLines(ndjson: Buffer): EventRow[] {
  return ndjson
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as EventRow);
}
