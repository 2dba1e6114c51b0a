import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { mergeRuns } from '../../projector/rebuild/merge.ts';
import { writeRun } from '../../projector/rebuild/runs.ts';
import { WorkFolder } from '../../projector/rebuild/work-folder.ts';
import { readConfig } from '../../shared/config.ts';

type NumberedRow = [id: string, run: number, place: number];

describe('runs of rows', () => {
  let dir: string;
  let folder: WorkFolder;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'runs-'));
    const config = readConfig({ DATA_DIR: dir });
    folder = WorkFolder.of(config, 'g');
    await folder.make(config);
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('are merged in order, what begins alike together and in the order of the runs, however many there are', () => {
    const runs = fc.array(fc.array(fc.string({ maxLength: 2 }), { maxLength: 30 }), { maxLength: 12 });
    fc.assert(
      fc.property(
        runs,
        fc.integer({ min: 2, max: 5 }),
        fc.integer({ min: 1, max: 99_999 }),
        (ids, most, size) => {
          const written = ids.map((some, run) => {
            const rows = some.toSorted(byText).map((id, place): NumberedRow => [id, run, place]);
            return { rows, run: writeRun(folder, `run-${run}`, rows, () => size) };
          });
          const wanted = written
            .flatMap(({ rows }) => rows)
            .sort((a, b) => byText(a[0], b[0]) || a[1] - b[1] || a[2] - b[2]);
          const groups = [
            ...mergeRuns<NumberedRow>(
              folder,
              written.map(({ run }) => run),
              () => size,
              most,
            ),
          ].flat();
          expect(groups.flat()).to.deep.equal(wanted);
          expect(new Set(groups.map(([row]) => row?.[0])).size).to.equal(groups.length);
          expect(new Set(wanted.map(([id]) => id)).size).to.equal(groups.length);
        },
      ),
      { numRuns: 100 },
    );
  });
});

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
