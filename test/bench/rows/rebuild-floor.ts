import { Child } from '../child.ts';
import type { FilledLog, Spent } from '../rebuilding.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';

const ROUNDS = 3;
const RECORDS: Record<Size, number> = { small: 10_000, full: 100_000 };

export const rebuildFloor: Row = {
  name: 'rebuild-floor',
  ours: 'rebuild from the log',
  reference: 'scan, decode and sorted write of the same output, one thread',
  unit: 'records a second by the clock',
  goal: { atLeast: 0.3 },
  async measure(size) {
    const filler = Child.start('processes/rebuilder.ts', { do: 'fill', records: RECORDS[size], raw: false });
    const log = await filler.hear<FilledLog>();
    const child = Child.start('processes/rebuilder.ts', { do: 'floor', log });
    await child.hear();
    const cpu: Record<string, number> = {};
    const rate = (what: 'rebuild' | 'floor') => async () => {
      const spent = await child.ask<Spent>({ do: what, log });
      cpu[what] = Math.round(spent.cpuMicroseconds / log.records);
      return (log.records * 1e6) / spent.wallMicroseconds;
    };
    // The first ones compile.
    for (let round = 0; round < ROUNDS; round++) await rate('rebuild')();
    const rates = await mediansOfRounds(ROUNDS, rate('rebuild'), rate('floor'));
    await child.stop();
    await filler.stop();
    return {
      ...rates,
      note: `${log.records} records; CPU ${cpu['rebuild']} and ${cpu['floor']} microseconds each`,
    };
  },
};
