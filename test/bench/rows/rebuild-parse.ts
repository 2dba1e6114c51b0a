import { Child } from '../child.ts';
import type { FilledLog, Spent } from '../rebuilding.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';

const ROUNDS = 3;
const RECORDS: Record<Size, number> = { small: 6000, full: 30_000 };

export const rebuildParse: Row = {
  name: 'rebuild-parse',
  ours: 'rebuild from the log',
  reference: '@ton/core parsing its transactions alone, one thread',
  unit: 'transactions a second by the clock',
  goal: { atLeast: 10 },
  async measure(size) {
    const filler = Child.start('processes/rebuilder.ts', { do: 'fill', records: RECORDS[size], raw: true });
    const log = await filler.hear<FilledLog>();
    const child = Child.start('processes/rebuilder.ts', { do: 'rebuild', log, idleMs: 60_000 });
    await child.hear();
    const cpu: Record<string, number> = {};
    const rate = (what: 'rebuild' | 'parse') => async () => {
      const spent = await child.ask<Spent>({ do: what, log });
      cpu[what] = Math.round(spent.cpuMicroseconds / log.transactions);
      return (log.transactions * 1e6) / spent.wallMicroseconds;
    };
    // The first ones compile.
    for (let round = 0; round < ROUNDS; round++) await rate('rebuild')();
    const rates = await mediansOfRounds(ROUNDS, rate('rebuild'), rate('parse'));
    await child.stop();
    await filler.stop();
    return {
      ...rates,
      note:
        `${log.records} records, of which ${log.transactions} are transactions; ` +
        `CPU ${cpu['rebuild']} and ${cpu['parse']} microseconds a transaction`,
    };
  },
};
