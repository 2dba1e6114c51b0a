import { addDigests } from '../../../projector/digest.ts';
import { foldBatch } from '../../../projector/fold-batch.ts';
import type { StoredRecord } from '../../../shared/event-log/record.ts';
import type { DocumentKey, ListEntry, StoredDocument } from '../../../shared/read-store/read-store.ts';
import { batchesOf } from '../batches.ts';
import type { SqliteConnection } from './emmett.ts';

type DocumentRow = Omit<StoredDocument, 'entries'> & { entries: string };

/** Of parameters SQLite takes 32,766. */
const ROWS_AT_ONCE = 1000;

/** Documents and lists as tables, with our folds: what is compared is the log and the store, not the work. */
export class SqliteDocuments {
  digest = '0'.repeat(64);

  static async create(connection: SqliteConnection): Promise<void> {
    await connection.command(
      'CREATE TABLE documents (model TEXT, key TEXT, dao TEXT, body BLOB, state BLOB, entries TEXT, offset INTEGER, PRIMARY KEY (model, key)) WITHOUT ROWID',
    );
    await connection.command(
      'CREATE TABLE entries (list TEXT, sort_key TEXT, model TEXT, key TEXT, PRIMARY KEY (list, sort_key)) WITHOUT ROWID',
    );
  }

  /** Within the transaction of whoever calls. */
  async fold(records: StoredRecord[], connection: SqliteConnection): Promise<void> {
    const before = new Map<string, StoredDocument>();
    const folded = await foldBatch(records, async (keys) => {
      const found = await load(keys, connection);
      for (const document of found.values()) before.set(idOf(document), document);
      return keys.map((key) => found.get(idOf(key)));
    });
    if (folded.parked.length > 0) throw new Error('the records could not be folded');
    await write(folded.documents, before, connection);
    this.digest = addDigests(this.digest, folded.digest);
  }
}

async function load(keys: DocumentKey[], connection: SqliteConnection): Promise<Map<string, StoredDocument>> {
  const found = new Map<string, StoredDocument>();
  for (const some of batchesOf(keys, ROWS_AT_ONCE)) {
    const rows = await connection.query<DocumentRow>(
      `SELECT * FROM documents WHERE (model, key) IN (VALUES ${places(some.length, 2)})`,
      some.flatMap(({ model, key }) => [model, key]),
    );
    for (const row of rows) found.set(idOf(row), { ...row, entries: JSON.parse(row.entries) as ListEntry[] });
  }
  return found;
}

async function write(
  documents: StoredDocument[],
  before: ReadonlyMap<string, StoredDocument>,
  connection: SqliteConnection,
): Promise<void> {
  const gone: ListEntry[] = [];
  const placed: (ListEntry & DocumentKey)[] = [];
  for (const document of documents) {
    const old = before.get(idOf(document))?.entries ?? [];
    const has = (entries: ListEntry[], entry: ListEntry) =>
      entries.some(({ list, sortKey }) => list === entry.list && sortKey === entry.sortKey);
    gone.push(...old.filter((entry) => !has(document.entries, entry)));
    for (const entry of document.entries) if (!has(old, entry)) placed.push({ ...document, ...entry });
  }
  for (const some of batchesOf(documents, ROWS_AT_ONCE))
    await connection.command(
      `INSERT OR REPLACE INTO documents VALUES ${places(some.length, 7)}`,
      some.flatMap(({ model, key, dao, body, state, entries, offset }) => {
        const list = JSON.stringify(entries);
        return [model, key, dao, body, state, list, offset];
      }),
    );
  for (const some of batchesOf(gone, ROWS_AT_ONCE))
    await connection.command(
      `DELETE FROM entries WHERE (list, sort_key) IN (VALUES ${places(some.length, 2)})`,
      some.flatMap(({ list, sortKey }) => [list, sortKey]),
    );
  for (const some of batchesOf(placed, ROWS_AT_ONCE))
    await connection.command(
      `INSERT INTO entries VALUES ${places(some.length, 4)}`,
      some.flatMap(({ list, sortKey, model, key }) => [list, sortKey, model, key]),
    );
}

function places(rows: number, columns: number): string {
  return Array<string>(rows)
    .fill(`(${Array(columns).fill('?').join()})`)
    .join();
}

function idOf({ model, key }: DocumentKey): string {
  return `${model}\0${key}`;
}
