import TinyQueue from 'tinyqueue';
import { RowsReader } from './rows-file.ts';
import { type Row, type Run, writeRun } from './runs.ts';
import type { WorkFolder } from './work-folder.ts';

const GROUPS_AT_ONCE = 512;
/** Of each of them a file is open and a block in memory. */
const MOST_RUNS = 128;

/**
 * The rows of all runs in the order of what they begin with, those that begin alike together and in
 * the order of the runs; many groups at a time. Where there are more runs than can be read at once
 * (`most`), runs are made of some of them first.
 */
export function* mergeRuns<R extends Row>(
  folder: WorkFolder,
  runs: readonly Run[],
  sizeOf: (row: R) => number,
  most = MOST_RUNS,
): Generator<R[][]> {
  let left = runs;
  for (let level = 0; left.length > most; level++) {
    const merged: Run[] = [];
    for (let from = 0; from < left.length; from += most) {
      const some = left.slice(from, from + most);
      merged.push(writeRun(folder, `merged-${level}-${some[0]?.file}`, rowsOf<R>(folder, some), sizeOf));
    }
    left = merged;
  }
  yield* mergeFew<R>(folder, left);
}

function* rowsOf<R extends Row>(folder: WorkFolder, runs: readonly Run[]): Generator<R> {
  for (const groups of mergeFew<R>(folder, runs)) for (const rows of groups) yield* rows;
}

function* mergeFew<R extends Row>(folder: WorkFolder, runs: readonly Run[]): Generator<R[][]> {
  const cursors: Cursor<R>[] = [];
  try {
    for (const [order, run] of runs.entries()) {
      const cursor = new Cursor<R>(order, run, new RowsReader<R>(folder.file(run.file)));
      cursors.push(cursor);
      cursor.fill();
    }
    const queue = new TinyQueue(
      cursors.filter(({ row }) => row !== undefined),
      (a, b) => (a.id === b.id ? a.order - b.order : a.id < b.id ? -1 : 1),
    );
    let groups: R[][] = [];
    for (let cursor = queue.pop(); cursor; cursor = queue.pop()) {
      const { id, row } = cursor;
      const group = groups.at(-1);
      if (group?.[0]?.[0] === id) group.push(row as R);
      else {
        if (groups.length === GROUPS_AT_ONCE) {
          yield groups;
          groups = [];
        }
        groups.push([row as R]);
      }
      if (!cursor.step()) cursor.fill();
      if (cursor.row !== undefined) queue.push(cursor);
    }
    if (groups.length > 0) yield groups;
  } finally {
    for (const cursor of cursors) cursor.close();
  }
}

/** A run as far as it was read. */
class Cursor<R extends Row> {
  readonly order: number;
  row: R | undefined;
  id = '';
  private readonly run: Run;
  private readonly reader: RowsReader<R>;
  private rows: R[] = [];
  private at = 0;
  private block = 0;

  constructor(order: number, run: Run, reader: RowsReader<R>) {
    this.order = order;
    this.run = run;
    this.reader = reader;
  }

  /** Goes on to the next row; false where another block has to be read for it. */
  step(): boolean {
    this.row = this.rows[++this.at];
    this.id = this.row?.[0] ?? '';
    return this.row !== undefined;
  }

  /** Reads the next block; there is no row after the last one. */
  fill(): void {
    const place = this.run.blocks[this.block++];
    this.rows = place ? this.reader.read(place) : [];
    this.at = -1;
    this.step();
  }

  close(): void {
    this.reader.close();
  }
}
