import { InvalidInputError } from '../errors.ts';
import { byteString } from './list-node.ts';
import { type ListChange, sortKeyTaken } from './list-write.ts';
import type { ListEntry, PlacedEntry, StoredDocument } from './read-store.ts';

/** What a batch makes of one list, by sort key as a byte string. */
export type ListChanges = Map<string, ListChange>;

/** The stored image of a document, as far as its lists depend on it. */
type Before = Pick<StoredDocument, 'body' | 'entries'>;

/** What a batch changes in the lists, gathered document by document. */
export class BatchLists {
  readonly byName = new Map<string, ListChanges>();

  /** What changes between the entries of the stored image and those of the new one. */
  move(before: Before | undefined, { body, entries }: StoredDocument): void {
    const old = before?.entries ?? [];
    for (const entry of old) {
      if (!entries.some((each) => same(each, entry)))
        removeEntry(this.changesOf(entry), byteString(entry.sortKey));
    }
    if (body === null) return;
    const unchanged = sameBody(before, body);
    for (const entry of entries) {
      const had = old.some((each) => same(each, entry));
      if (!had || !unchanged) putEntry(this.changesOf(entry), byteString(entry.sortKey), body, had);
    }
  }

  /** An entry that the list does not hold yet. */
  place({ list, sortKey, body }: PlacedEntry): void {
    putEntry(this.changesOf({ list, sortKey }), byteString(sortKey), body, false);
  }

  private changesOf({ list }: ListEntry): ListChanges {
    const changes = this.byName.get(list) ?? new Map<string, ListChange>();
    this.byName.set(list, changes);
    return changes;
  }
}

/** In the order that a tree takes them. */
export function orderedChanges(changes: ListChanges): ListChange[] {
  return [...changes.values()].sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
}

/** A document never written counts as one without a body. */
export function sameBody(before: Pick<StoredDocument, 'body'> | undefined, body: Buffer | null): boolean {
  const old = before?.body ?? null;
  return old === null || body === null ? old === body : old.equals(body);
}

/** Refuses a batch that makes no sense, before anything is written. */
export function checkBatch(documents: StoredDocument[]): void {
  const seen = new Set<string>();
  for (const document of documents) {
    const name = `${document.model}\0${document.key}`;
    if (seen.has(name)) throw refused(document, 'twice in one batch');
    seen.add(name);
    if (document.body === null && document.entries.length > 0)
      throw refused(document, 'without a body in a list');
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

function same(a: ListEntry, b: ListEntry): boolean {
  return a.sortKey === b.sortKey && a.list === b.list;
}

function refused({ model, key }: StoredDocument, what: string): InvalidInputError {
  return new InvalidInputError(
    'BATCH_REFUSED',
    `The batch holds ${model} ${key} ${what}. Nothing was committed.`,
  );
}
