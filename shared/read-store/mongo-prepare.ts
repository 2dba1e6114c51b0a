import { BatchLists, orderedChanges, sameBody } from './list-changes.ts';
import type { ListRoot } from './list-read.ts';
import { changeList, type ListChange } from './list-write.ts';
import type { PreparedBatch } from './mongo-batches.ts';
import { ChangedNodes, FetchedNodes } from './mongo-nodes.ts';
import {
  changeRow,
  type DocumentImage,
  documentId,
  hiddenOf,
  type ListImage,
  listId,
  nodeId,
  storedDocument,
} from './mongo-rows.ts';
import type { Snapshot } from './mongo-snapshot.ts';
import type { CommitBatch } from './read-store.ts';

/** What the batch makes of the rows as the snapshot has them. Nothing is written. */
export async function prepareBatch(
  snapshot: Snapshot,
  { documents, placed }: Pick<CommitBatch, 'documents' | 'placed'>,
  commit: number,
): Promise<PreparedBatch> {
  const lists = new BatchLists();
  for (const entry of placed ?? []) lists.place(entry);
  const changes = await Promise.all(
    documents.map(async (document) => {
      const key = documentId(document);
      const found = await snapshot.at<DocumentImage>('documents', key);
      const before = found && storedDocument(found.row, found.field);
      if (!placed) lists.move(before, document);
      const version =
        before !== undefined && sameBody(before, document.body) ? found?.row.i[found.field]?.version : commit;
      const image = { version: version ?? commit, body: document.body };
      return changeRow({ table: 'documents', key, commit }, found?.row, image, hiddenOf(document));
    }),
  );
  const changed = await Promise.all(
    [...lists.byName].map(([list, each]) => prepareList(snapshot, list, orderedChanges(each), commit)),
  );
  return {
    changes: [...changes, ...changed.flatMap((list) => list.changes)],
    removed: changed.flatMap((list) => list.removed),
  };
}

async function prepareList(
  snapshot: Snapshot,
  list: string,
  changes: ListChange[],
  commit: number,
): Promise<PreparedBatch> {
  const key = listId(list);
  const root = rootOf(await snapshot.image<ListImage>('lists', key));
  const nodes = new FetchedNodes(snapshot, list);
  await nodes.fetchTouched(root, changes);
  const { changed, after } = await nodes.run(() => {
    const table = new ChangedNodes(nodes.read);
    return { changed: table, after: changeList(table, root, changes) };
  });
  const image = { total: after.total, version: commit, root: after.root ?? null, nextNode: after.nextNode };
  const written = await Promise.all(
    [...changed.written].map(async ([id, node]) => {
      const row = id < root.nextNode ? await snapshot.row('nodes', nodeId(list, id)) : undefined;
      return changeRow({ table: 'nodes', key: nodeId(list, id), commit }, row, { node });
    }),
  );
  return {
    changes: [
      changeRow({ table: 'lists', key, commit }, await snapshot.row('lists', key), image),
      ...written,
    ],
    removed: [...changed.removed].map((id) => nodeId(list, id)),
  };
}

/** The tree as its functions know it; lists are told apart by their names, not by numbers. */
export function rootOf(image: ListImage | undefined): ListRoot {
  if (image === undefined) return { id: 0, total: 0, version: 0, root: undefined, nextNode: 0 };
  const { total, version, root, nextNode } = image;
  return { id: 0, total, version, root: total === 0 ? undefined : (root ?? undefined), nextNode };
}
