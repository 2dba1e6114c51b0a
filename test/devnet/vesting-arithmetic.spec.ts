import { Address, beginCell, Cell, parseTuple, TupleReader } from '@ton/core';
import { Executor } from '@ton/sandbox';
import { expect } from 'chai';
import fc from 'fast-check';
import { storeVestingTerms } from '../../shared/contracts/crowdfunding/vesting-terms.ts';
import { type VestingSchedule, vestedAmount, vestingEnd, vestingPhase } from '../../shared/vesting.ts';
import { getMethodConfig } from './chain/get-method-config.ts';
import { methodId } from './chain/method-id.ts';
import { codeOf } from './contracts/codes.ts';

const SOMEWHERE = new Address(0, Buffer.alloc(32, 1));

/** The storage of a vault that has its wallet, of which a part was claimed. */
function vaultData(schedule: VestingSchedule, claimed: bigint): Cell {
  const body = beginCell()
    .storeCoins(schedule.total)
    .storeCoins(claimed)
    .storeBit(schedule.released)
    .storeAddress(SOMEWHERE)
    .storeAddress(SOMEWHERE)
    .storeRef(beginCell().store(storeVestingTerms(schedule)).endCell())
    .endCell();
  return beginCell().storeAddress(SOMEWHERE).storeAddress(SOMEWHERE).storeMaybeRef(body).endCell();
}

const uint32 = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.integer({ min: 0, max: 1000 }),
  fc.constant(0),
);
const schedules: fc.Arbitrary<VestingSchedule> = fc.record({
  total: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 120n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 12n })),
  start: uint32,
  cliff: uint32,
  duration: uint32,
  tgeBps: fc.integer({ min: 0, max: 10_000 }),
  released: fc.nat(9).map((one) => one === 0),
});

/** A schedule and a time: at a border of its phases, a second beside it, or anywhere between. */
const moments = fc
  .tuple(schedules, fc.nat(5), fc.integer({ min: -1, max: 1 }), fc.nat(2 ** 31))
  .map(([schedule, border, beside, anywhere]): [VestingSchedule, number] => {
    const { start, cliff, duration } = schedule;
    const borders = [start, start + cliff, vestingEnd(schedule), start + (anywhere % (cliff + 1))];
    const between = start + cliff + (anywhere % (duration + 1));
    return [schedule, Math.max((borders[border] ?? between) + beside, 0)];
  });

describe('devnet: arithmetic of the vesting vault', () => {
  it('equals the reference to the last unit: 1,000 random schedules and times', async () => {
    const executor = await Executor.create();
    const phases = new Set<string>();
    await fc.assert(
      fc.asyncProperty(moments, async ([schedule, now]) => {
        const expected = vestedAmount(schedule, now);
        const claimed = expected / 3n;
        const { output } = await executor.runGetMethod({
          code: codeOf('vesting-vault'),
          data: vaultData(schedule, claimed),
          methodId: methodId('get_vested'),
          stack: [{ type: 'int', value: BigInt(now) }],
          config: getMethodConfig(),
          verbosity: 'short',
          address: SOMEWHERE,
          unixTime: 0,
          balance: 0n,
          randomSeed: Buffer.alloc(32),
          gasLimit: 1_000_000n,
          debugEnabled: false,
        });
        if (!output.success) throw new Error(output.error);
        const answer = new TupleReader(parseTuple(Cell.fromBase64(output.stack)));
        expect([answer.readBigNumber(), answer.readBigNumber()]).to.deep.equal([
          expected,
          expected - claimed,
        ]);
        phases.add(vestingPhase(schedule, now));
      }),
      { numRuns: 1000, seed: 7 },
    );
    expect(phases).to.deep.equal(new Set(['not_started', 'cliff', 'vesting', 'fully_vested', 'released']));
  });

  it('grows with time, from nothing to all', () => {
    fc.assert(
      fc.property(moments, fc.nat(2 ** 31), ([schedule, now], later) => {
        const [before, after] = [vestedAmount(schedule, now), vestedAmount(schedule, now + later)];
        expect(before >= 0n && before <= after && after <= schedule.total).to.equal(true);
        expect(vestedAmount(schedule, vestingEnd(schedule))).to.equal(schedule.total);
      }),
    );
  });
});
