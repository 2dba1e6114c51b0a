import { Child } from '../child.ts';
import type { Cost } from '../cost.ts';
import type { PeakMemory } from '../peak-memory.ts';
import type { Row, Size } from '../row.ts';

const FEW = 10_000;
/** A million takes several minutes: the whole run is to be bearable. */
const MANY: Record<Size, number> = { small: 30_000, full: 300_000 };

export const projectingScale: Row = {
  name: 'projecting-scale',
  ours: 'projecting many contributions, each record',
  reference: `projecting ${FEW.toLocaleString('en')}`,
  unit: 'CPU microseconds a record',
  goal: { atMost: 1.2 },
  async measure(size) {
    const child = Child.start('processes/projector.ts', { records: FEW, batch: 1000 });
    await child.hear();
    const few: number[] = [];
    for (let round = 0; round < 3; round++) few.push(perRecord(await child.ask<Cost>(task(FEW))));
    const many = await child.ask<Cost & PeakMemory>(task(MANY[size]));
    await child.stop();
    return {
      ours: perRecord(many),
      reference: few.toSorted((a, b) => a - b)[1] ?? Number.NaN,
      note:
        `${many.records} records, ${Math.round((many.records * 1e6) / many.wallMicroseconds)} a second by the clock, ` +
        `peak memory ${many.peakMb} MB with mapped files, ${many.anonymousMb} MB without in the end`,
    };
  },
};

function task(records: number) {
  return { records, batch: 1000 };
}

function perRecord({ records, cpuMicroseconds }: Cost): number {
  return cpuMicroseconds / records;
}
