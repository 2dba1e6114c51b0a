import { Child } from '../child.ts';
import type { FilledLog, Spent } from '../rebuilding.ts';
import type { Row, Size } from '../row.ts';

const FEW = 10_000;
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
    for (let round = 0; round < 4; round++) costs.push(await rebuilt(few));
    const cost = await rebuilt(many);
    for (let round = 0; round < 3; round++) costs.push(await rebuilt(few));
    await child.stop();
    await filler.stop();
    // The first one compiles.
    const [wall, cpu] = (['wallMicroseconds', 'cpuMicroseconds'] as const).map((kind) => {
      const sorted = costs.slice(1).map((each) => each[kind] / FEW);
      return sorted.sort((a, b) => a - b)[sorted.length >> 1] ?? Number.NaN;
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
