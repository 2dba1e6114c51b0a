import { beginCell } from '@ton/core';
import { expect } from 'chai';
import fc from 'fast-check';
import type { GenerationStatus } from '../../projector/status.ts';
import { statusText } from '../../projector/status-text.ts';
import {
  mergedTally,
  OTHERS,
  SightingCounts,
  type Spotted,
  tallied,
  unknownIn,
  unknownsOf,
} from '../../projector/unknown.ts';
import type { LogRecord, TransactionRecord } from '../../shared/event-log/record.ts';
import { addressOf, codeHashOf, discovered, transaction } from './chain-of-facts.ts';
import { DAO, minted, received, sent, voted, walletOf } from './story.ts';

const STRANGE = 'ab'.repeat(32);
const strange = (opcode: number) => beginCell().storeUint(opcode, 32).endCell();

function toDao(
  lt: number,
  facts: { opcode?: number; success?: boolean; bounced?: boolean },
): TransactionRecord {
  const { opcode = 0x1234_5678, bounced, ...rest } = facts;
  const body = bounced
    ? beginCell().storeUint(0xffff_ffff, 32).storeUint(opcode, 32).endCell()
    : strange(opcode);
  return transaction({ dao: DAO, account: DAO, kind: 'dao', lt, body, ...rest, ...(bounced && { bounced }) });
}

const namesIn = (records: LogRecord[]) => records.map((record) => unknownIn(record)?.name ?? null);

describe('what nobody reads', () => {
  it('is tallied alike, whether the records are folded in their order or apart from each other', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(900), fc.integer({ min: 1, max: 5 }), (seed, length, parts) => {
        const sightings = Array.from({ length }, (_, offset) => {
          const n = ((offset + 1) * (seed | 1) * 2_654_435_761) % 301;
          return { name: `opcode dao ${Math.abs(n)}`, example: `at ${offset}` };
        });
        const counts = Array.from({ length: parts }, () => new SightingCounts());
        for (const [offset, sighting] of sightings.entries())
          counts[(offset * 7 + (offset >> 3)) % parts]?.add(sighting, offset);
        const names = new Map<string, Spotted[]>();
        for (const each of counts.flatMap((count) => count.take()))
          names.set(each[0], [...(names.get(each[0]) ?? []), each]);
        expect(mergedTally(names.values())).to.deep.equal(tallied({}, sightings));
      }),
    );
  });

  it('is an opcode that was accepted, with the transaction as its example', () => {
    const record = toDao(7, {});
    expect(unknownIn(record)).to.deep.equal({
      name: `opcode dao ${codeHashOf('dao')} 0x12345678`,
      example: `transaction ${record.hash} of ${DAO}, lt 7`,
    });
  });

  it('is not what failed, came back, is a comment or no message at all', () => {
    const records = [
      toDao(1, { success: false }),
      toDao(2, { bounced: true }),
      toDao(3, { opcode: 0 }),
      transaction({ dao: DAO, account: DAO, kind: 'dao', lt: 4 }),
      { ...toDao(5, {}), in: null },
    ];
    expect(namesIn(records)).to.deep.equal(records.map(() => null));
  });

  it('is not what is known', () => {
    expect(
      namesIn([received('a', 1n, 1), sent('a', 1n, 2), minted('a', 1n, 3), voted(1, 'a', 1n, 4)]),
    ).to.deep.equal([null, null, null, null]);
  });

  it('is a code that neither the registry nor a standard reads, as soon as it is met', () => {
    const found = { ...discovered(DAO, addressOf('plugin'), 'proposal'), codeHash: STRANGE };
    const upgraded = { ...toDao(8, {}), codeHash: STRANGE };
    expect(unknownIn(found)).to.deep.equal({
      name: `code proposal ${STRANGE}`,
      example: `account ${addressOf('plugin')}`,
    });
    expect(namesIn([upgraded, { ...upgraded, in: null }])).to.deep.equal([
      `opcode dao ${STRANGE} 0x12345678`,
      `code dao ${STRANGE}`,
    ]);
    expect(namesIn([{ ...found, codeHash: null }])).to.deep.equal([null]);
  });

  it('is not a jetton of any code, nor how its minter is asked to mint; but whatever else moves it', () => {
    const wallet = { ...discovered(DAO, walletOf('a'), 'gp_wallet'), codeHash: STRANGE };
    const mint = { ...(minted('a', 1n, 3) as TransactionRecord), codeHash: STRANGE };
    const asked = { ...mint, in: { ...toDao(1, {}).in, opcode: 21 } } as TransactionRecord;
    expect(namesIn([wallet, mint, asked])).to.deep.equal([null, null, null]);
    expect(namesIn([{ ...asked, out: [] }])).to.deep.equal([`opcode gp_minter ${STRANGE} 0x00000015`]);
  });
});

describe('the tally of what nobody reads', () => {
  const sightings = fc.array(fc.record({ name: fc.nat(300).map((n) => `name ${n}`), example: fc.string() }), {
    minLength: 150,
    maxLength: 600,
  });

  it('is the same however the records are cut into batches', () => {
    fc.assert(
      fc.property(sightings, fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1 }), (all, sizes) => {
        let cut = {};
        for (let from = 0, turn = 0; from < all.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          cut = tallied(cut, all.slice(from, from + size));
          from += size;
        }
        expect(cut).to.deep.equal(tallied({}, all));
      }),
    );
  });

  it('counts all, keeps the first example, and has an end', () => {
    const all = Array.from({ length: 1000 }, (_, n) => ({ name: `name ${n % 500}`, example: `${n}` }));
    const tally = tallied({}, all);
    expect(Object.keys(tally)).to.have.length(201);
    expect(tally['name 3']).to.deep.equal({ count: 2, example: '3' });
    expect(tally[OTHERS]).to.deep.equal({ count: 600, example: '200' });
  });
});

describe('the tallies of a generation', () => {
  const opcode = { what: 'opcode', kind: 'dao', codeHash: STRANGE, opcode: '0x00000015' };
  const name = `opcode dao ${STRANGE} 0x00000015`;
  const unknown = unknownsOf([
    { [name]: { count: 2, example: 'first' }, [OTHERS]: { count: 1, example: 'x' } },
    {
      [`code lp_manager ${STRANGE}`]: { count: 4, example: 'account' },
      [name]: { count: 3, example: 'later' },
    },
  ]);

  it('are told together, most frequent first', () => {
    expect(unknown).to.deep.equal([
      { ...opcode, count: 5, example: 'first' },
      { what: 'code', kind: 'lp_manager', codeHash: STRANGE, count: 4, example: 'account' },
      { what: 'opcode', kind: OTHERS, codeHash: '', count: 1, example: 'x' },
    ]);
  });

  it('are in the status for people', () => {
    const generation: GenerationStatus = {
      id: 'g1',
      projections: 'v',
      partitions: 1,
      createdAt: 0,
      live: true,
      building: false,
      promotion: 1,
      own: true,
      lag: 0,
      deadLetters: 0,
      digest: '0'.repeat(64),
      checkpoints: [{ partition: 0, offset: 9, lag: 0 }],
      unknown,
    };
    const text = statusText({ daos: {}, partitions: [], generations: [generation] });
    expect(text)
      .to.match(/Unknown to the contracts of generation g1/)
      .and.match(/5 +│ 0x00000015 │ dao (ab)+ +│ first/)
      .and.match(/4 +│ code +│ lp_manager (ab)+ +│ account/);
  });
});
