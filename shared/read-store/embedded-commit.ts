import { keyBytes } from '../embedded/lmdb-environment.ts';
import { encodeDocument } from './embedded-document.ts';
import { documentKey, type GenerationTables, listKey } from './embedded-generation.ts';
import { BatchLists, checkBatch, type ListChanges, orderedChanges, sameBody } from './list-changes.ts';
import type { ListRoot } from './list-read.ts';
import { changeList } from './list-write.ts';
import type { CommitBatch, ListEntry, StoredDocument } from './read-store.ts';

/** Applies a batch within one write transaction; the work is that of what the batch changes. */
export function commitBatch(tables: GenerationTables, batch: CommitBatch): 'committed' | 'conflict' {
  const { placed } = batch;
  const documents = checked(batch);
  return tables.env.write(() => {
    const { offset, edits } = tables.checkpoint(batch.partition);
    if (offset !== batch.base.offset || edits !== batch.base.edits) return 'conflict';
    const commit = tables.nextCommit();
    const lists = new BatchLists();
    for (const entry of placed ?? []) lists.place(entry);
    for (const [key, document] of documents) {
      if (placed) {
        tables.documents.put(key, encodeDocument({ ...document, version: commit }));
        continue;
      }
      const before = tables.document(key);
      lists.move(before, document);
      const version = before !== undefined && sameBody(before, document.body) ? before.version : commit;
      tables.documents.put(key, encodeDocument({ ...document, version }));
    }
    for (const [list, changes] of lists.byName) applyChanges(tables, list, changes, commit);
    tables.putCheckpoint(batch.partition, batch.checkpoint);
    return 'committed';
  });
}

/** Everything that can be refused is, before anything is written. */
function checked({ documents, placed = [] }: CommitBatch): [key: Buffer, document: StoredDocument][] {
  checkBatch(documents);
  for (const entry of placed) checkEntry(entry);
  return documents.map((document) => {
    for (const entry of document.entries) checkEntry(entry);
    return [documentKey(document), document];
  });
}

function checkEntry({ list, sortKey }: ListEntry): void {
  listKey(list);
  keyBytes('sort key', sortKey);
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
  tables.putList(key, {
    ...changeList(tables.nodeTable(list.id), list, orderedChanges(changes)),
    version: commit,
  });
}
