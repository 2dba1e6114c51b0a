import { Child } from '../child.ts';
import type { Cost } from '../cost.ts';
import type { Projecting } from '../emmett/projecting.ts';
import type { EmmettTask } from '../processes/emmett.ts';
import type { ProjectorTask } from '../processes/projector.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';

const ROUNDS = 3;
const RECORDS: Record<Size, number> = { small: 1000, full: 5000 };

export const projectingEmmettInline = rowOf(
  'inline',
  'Emmett 0.38.5 on SQLite, inline projection, same folds',
  5,
);
export const projectingEmmettConsumer = rowOf(
  'consumer',
  'Emmett 0.38.5 on SQLite, its consumer, same folds',
  7,
);

function rowOf(projecting: Projecting, reference: string, atLeast: number): Row {
  return {
    name: `projecting-emmett-${projecting}`,
    ours: 'projecting contributions, log append and checkpoint included',
    reference,
    unit: 'records per CPU second',
    goal: { atLeast },
    async measure(size) {
      const records = RECORDS[size];
      const ourTask: ProjectorTask = { records, batch: 1000 };
      const theirTask: EmmettTask = { records, projecting };
      const [ours, theirs] = [
        Child.start('processes/projector.ts', ourTask),
        Child.start('processes/emmett.ts', theirTask),
      ];
      const [a, b] = [await ours.hear<Cost>(), await theirs.hear<Cost>()];
      if (a.digest !== b.digest) throw new Error('the two have not folded the same');
      const walls: Record<string, number> = {};
      const rate = (name: string, child: Child, task: object) => async () => {
        const { wallMicroseconds, cpuMicroseconds } = await child.ask<Cost>(task);
        walls[name] = Math.round((records * 1e6) / wallMicroseconds);
        return (records * 1e6) / cpuMicroseconds;
      };
      const rates = await mediansOfRounds(
        ROUNDS,
        rate('ours', ours, ourTask),
        rate('theirs', theirs, theirTask),
      );
      await Promise.all([ours, theirs].map((child) => child.stop()));
      return { ...rates, note: `by the clock: ${walls['ours']} and ${walls['theirs']} records a second` };
    },
  };
}
