import { Child } from '../child.ts';
import type { Cost } from '../cost.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';

const ROUNDS = 5;
const RECORDS: Record<Size, [batched: number, single: number]> = {
  small: [2000, 500],
  full: [20_000, 4000],
};

export const projectingNaive: Row = {
  name: 'projecting-naive',
  ours: 'projecting contributions, log append and checkpoint included',
  reference: 'the same, a commit for each record',
  unit: 'records per CPU second',
  goal: { atLeast: 4.5 },
  async measure(size) {
    const child = Child.start('processes/projector.ts', { records: 500, batch: 1000 });
    await child.hear();
    const walls: Record<number, number> = {};
    const rate = (records: number, batch: number) => async () => {
      const { wallMicroseconds, cpuMicroseconds } = await child.ask<Cost>({ records, batch });
      walls[batch] = (records * 1e6) / wallMicroseconds;
      return (records * 1e6) / cpuMicroseconds;
    };
    const [batched, single] = RECORDS[size];
    const rates = await mediansOfRounds(ROUNDS, rate(batched, 1000), rate(single, 1));
    await child.stop();
    const perSecond = [walls[1000], walls[1]].map((wall) => Math.round(wall ?? 0));
    return { ...rates, note: `by the clock: ${perSecond.join(' and ')} records a second` };
  },
};
