import { Child } from '../child.ts';
import type { FilledLog, Spent } from '../rebuilding.ts';
import type { Row, Size } from '../row.ts';

const FEW = 10_000;
const ROUNDS = 3;
const MANY: Record<Size, number> = { small: 50_000, full: 1_000_000 };

export const rebuildScale: Row = {
  name: 'rebuild-scale',
  ours: 'rebuild from many records, each record',
  reference: `from ${FEW.toLocaleString('en')}`,
  unit: 'microseconds a record by the clock',
  goal: { atMost: 1.2 },
  async measure(size) {
    const filler = Child.start('processes/rebuilder.ts', { do: 'fill', records: FEW, raw: false });
    const few = await filler.hear<FilledLog>();
    const many = await filler.ask<FilledLog>({ do: 'fill', records: MANY[size], raw: false });
    const child = Child.start('processes/rebuilder.ts', { do: 'rebuild', log: few });
    await child.hear();
    const rebuilt = (log: FilledLog) => child.ask<Spent>({ do: 'rebuild', log });
    const costs: Spent[] = [];
    const repeat = async (): Promise<void> => {
      // The first ones compile, or begin with new threads.
      for (let round = 0; round < 2 * ROUNDS; round++) {
        const cost = await rebuilt(few);
        if (round >= ROUNDS) costs.push(cost);
      }
    };
    await repeat();
    const cost = await rebuilt(many);
    await repeat();
    await child.stop();
    await filler.stop();
    const [wall, cpu] = (['wallMicroseconds', 'cpuMicroseconds'] as const).map((kind) => {
      const sorted = costs.map((each) => each[kind] / FEW);
      return sorted.sort((x, y) => x - y)[sorted.length >> 1] ?? Number.NaN;
    });
    return {
      ours: cost.wallMicroseconds / many.records,
      reference: wall ?? Number.NaN,
      note:
        `${many.records} records; CPU ${Math.round(cost.cpuMicroseconds / many.records)} and ${Math.round(cpu ?? 0)} microseconds ` +
        `a record; peak memory ${cost.anonymousMb} MB without mapped files`,
    };
  },
};
