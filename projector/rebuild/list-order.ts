import type { ListEntry, PlacedEntry } from '../../shared/read-store/read-store.ts';
import { mergeRuns } from './merge.ts';
import { type Run, writeRun } from './runs.ts';
import type { WorkFolder } from './work-folder.ts';

/** List and sort key together, the two, and the body. */
type EntryRow = [order: string, list: string, sortKey: string, body: Buffer];

const MOST_BYTES = 8 * 1024 * 1024;
/** About what an entry takes in memory beside its texts and body. */
const ENTRY_BYTES = 200;

/** Entries of lists, which come in any order and go in that of the lists and their sort keys. */
export class ListOrder {
  private readonly folder: WorkFolder;
  private readonly name: string;
  private readonly runs: Run[] = [];
  private rows: EntryRow[] = [];
  private bytes = 0;

  /** `name`: what its files begin with. */
  constructor(folder: WorkFolder, name: string) {
    this.folder = folder;
    this.name = name;
  }

  add(entry: PlacedEntry): void {
    const { list, sortKey, body } = entry;
    const row: EntryRow = [orderOf(entry), list, sortKey, body];
    this.rows.push(row);
    this.bytes += ENTRY_BYTES + sizeOf(row);
    if (this.bytes >= MOST_BYTES) this.write();
  }

  /** All that was added, some at a time. */
  *entries(): Generator<PlacedEntry[]> {
    this.write();
    for (const groups of mergeRuns<EntryRow>(this.folder, this.runs, sizeOf))
      yield groups.flat().map(([, list, sortKey, body]) => ({ list, sortKey, body }));
  }

  private write(): void {
    const file = `${this.name}-${this.runs.length}.rows`;
    this.rows.sort(([a], [b]) => (a < b ? -1 : 1));
    if (this.rows.length > 0) this.runs.push(writeRun(this.folder, file, this.rows, sizeOf));
    this.rows = [];
    this.bytes = 0;
  }
}

/** What entries are put in order by. */
export function orderOf({ list, sortKey }: ListEntry): string {
  return `${list}\0${sortKey}`;
}

function sizeOf([order, , , body]: EntryRow): number {
  return order.length + body.length;
}
