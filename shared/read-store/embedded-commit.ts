import { keyBytes } from '../embedded/lmdb-environment.ts';
import { InvalidInputError } from '../errors.ts';
import { type DocumentImage, encodeDocument } from './embedded-document.ts';
import { documentKey, type GenerationTables, listKey } from './embedded-generation.ts';
import { byteString } from './embedded-list-node.ts';
import type { ListRoot } from './embedded-list-read.ts';
import { changeList, type ListChange, sortKeyTaken } from './embedded-list-write.ts';
import type { CommitBatch, ListEntry, StoredDocument } from './read-store.ts';

/** Applies a batch within one write transaction; the work is that of what the batch changes. */
export function commitBatch(tables: GenerationTables, batch: CommitBatch): 'committed' | 'conflict' {
  const documents = checked(batch.documents);
  return tables.env.write(() => {
    const { offset, edits } = tables.checkpoint(batch.partition);
    if (offset !== batch.base.offset || edits !== batch.base.edits) return 'conflict';
    const commit = tables.nextCommit();
    const lists = new Map<string, ListChanges>();
    for (const [key, document] of documents) {
      const before = tables.document(key);
      const sameBody = sameBytes(before?.body ?? null, document.body);
      moveEntries(lists, before, document, sameBody);
      const version = before !== undefined && sameBody ? before.version : commit;
      tables.documents.put(key, encodeDocument({ ...document, version }));
    }
    for (const [list, changes] of lists) applyChanges(tables, list, changes, commit);
    tables.putCheckpoint(batch.partition, batch.checkpoint);
    return 'committed';
  });
}

/** Everything that can be refused is, before anything is written. */
function checked(documents: StoredDocument[]): [key: Buffer, document: StoredDocument][] {
  const seen = new Set<string>();
  return documents.map((document) => {
    const { model, key, body, entries } = document;
    const name = `${model}\0${key}`;
    if (seen.has(name)) throw refused(document, 'twice in one batch');
    seen.add(name);
    if (body === null && entries.length > 0) throw refused(document, 'without a body in a list');
    for (const { list, sortKey } of entries) {
      listKey(list);
      keyBytes('sort key', sortKey);
    }
    return [documentKey(document), document];
  });
}

/** Of one list, by sort key as a byte string. */
type ListChanges = Map<string, ListChange>;

/** What changes between the entries of the stored image and those of the new one. */
function moveEntries(
  lists: Map<string, ListChanges>,
  before: DocumentImage | undefined,
  { body, entries }: StoredDocument,
  sameBody: boolean,
): void {
  const old = before?.entries ?? [];
  for (const entry of old) {
    if (!entries.some((each) => same(each, entry)))
      removeEntry(changesOf(lists, entry), byteString(entry.sortKey));
  }
  if (body === null) return;
  for (const entry of entries) {
    const had = old.some((each) => same(each, entry));
    if (!had || !sameBody) putEntry(changesOf(lists, entry), byteString(entry.sortKey), body, had);
  }
}

/** Another document of the batch may put its entry in the place that this one leaves. */
function removeEntry(changes: ListChanges, sortKey: string): void {
  const change = changes.get(sortKey);
  if (change === undefined) changes.set(sortKey, { sortKey, body: null, had: true });
  else if (change.had) throw sortKeyTaken(sortKey);
  else change.had = true;
}

function putEntry(changes: ListChanges, sortKey: string, body: Buffer, had: boolean): void {
  const change = changes.get(sortKey);
  if (change === undefined) changes.set(sortKey, { sortKey, body, had });
  else if (had || change.body !== null) throw sortKeyTaken(sortKey);
  else change.body = body;
}

function applyChanges(tables: GenerationTables, name: string, changes: ListChanges, commit: number): void {
  const key = listKey(name);
  const list: ListRoot = tables.list(key) ?? {
    id: tables.nextListId(),
    total: 0,
    version: 0,
    root: undefined,
    nextNode: 0,
  };
  const ordered = [...changes.values()].sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
  tables.putList(key, { ...changeList(tables.nodeTable(list.id), list, ordered), version: commit });
}

function changesOf(lists: Map<string, ListChanges>, { list }: ListEntry): ListChanges {
  const changes = lists.get(list) ?? new Map<string, ListChange>();
  lists.set(list, changes);
  return changes;
}

function same(a: ListEntry, b: ListEntry): boolean {
  return a.sortKey === b.sortKey && a.list === b.list;
}

function sameBytes(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

function refused({ model, key }: StoredDocument, what: string): InvalidInputError {
  return new InvalidInputError(
    'BATCH_REFUSED',
    `The batch holds ${model} ${key} ${what}. Nothing was committed.`,
  );
}
