import TinyQueue from 'tinyqueue';
import { RowsReader } from './rows-file.ts';
import type { Row, Run } from './runs.ts';
import type { WorkFolder } from './work-folder.ts';

const GROUPS_AT_ONCE = 512;

/**
 * The rows of all runs in the order of what they begin with, those that begin alike together and in
 * the order of the runs; many groups at a time.
 */
export function* mergeRuns<R extends Row>(folder: WorkFolder, runs: readonly Run[]): Generator<R[][]> {
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
