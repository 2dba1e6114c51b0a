import type { DocumentKey, StoredDocument } from '../shared/read-store/read-store.ts';
import type { Json } from './account-fold.ts';

/** The same document in both generations; undefined where there is nothing to read in one. */
export interface DocumentPair extends DocumentKey {
  old: StoredDocument | undefined;
  new: StoredDocument | undefined;
}

/** A field that differs: its path in the body, or `list` and the name of a list in which the document has its place. */
export interface FieldChange {
  path: string;
  /** Absent where the field is. */
  old?: Json;
  new?: Json;
}

/** What the pairs are in the order of their keys: two ordered walks side by side, one document of each at a time. */
export async function* pairsOf(
  old: AsyncIterable<StoredDocument>,
  young: AsyncIterable<StoredDocument>,
): AsyncGenerator<DocumentPair> {
  const left = old[Symbol.asyncIterator]();
  const right = young[Symbol.asyncIterator]();
  let a = await nextOf(left);
  let b = await nextOf(right);
  while (a || b) {
    const order = compare(a, b);
    const { model, key } = (order <= 0 ? a : b) as StoredDocument;
    yield { model, key, old: order <= 0 ? a : undefined, new: order >= 0 ? b : undefined };
    if (order <= 0) a = await nextOf(left);
    if (order >= 0) b = await nextOf(right);
  }
}

/** Whether readers see something else: another body, or another place in a list. */
export function differs({ old, new: young }: DocumentPair): boolean {
  if (!old?.body || !young?.body) return Boolean(old?.body ?? young?.body);
  return !old.body.equals(young.body) || placesOf(old) !== placesOf(young);
}

/** Field by field, in the order of the old body's fields, then the new one's. */
export function changedFields({ old, new: young }: DocumentPair): FieldChange[] {
  const changes = [...fieldChanges('', bodyOf(old), bodyOf(young)), ...listChanges(old, young)];
  if (changes.length > 0 || !old || !young) return changes;
  // The same fields in another order: readers see other bytes.
  return [{ path: '', old: String(old.body), new: String(young.body) }];
}

async function nextOf(documents: AsyncIterator<StoredDocument>): Promise<StoredDocument | undefined> {
  const { done, value } = await documents.next();
  return done ? undefined : value;
}

function compare(a: StoredDocument | undefined, b: StoredDocument | undefined): number {
  if (!a || !b) return a ? -1 : 1;
  return (
    Buffer.compare(Buffer.from(a.model), Buffer.from(b.model)) ||
    Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))
  );
}

function placesOf({ entries }: StoredDocument): string {
  return JSON.stringify(entries.map(({ list, sortKey }) => [list, sortKey]));
}

/** Without fields where there is nothing to read. */
function bodyOf(document: StoredDocument | undefined): Json {
  return document?.body ? (JSON.parse(document.body.toString()) as Json) : {};
}

function fieldChanges(path: string, old: Json | undefined, young: Json | undefined): FieldChange[] {
  if (isNested(old) && isNested(young) && Array.isArray(old) === Array.isArray(young)) {
    const keys = new Set([...Object.keys(old), ...Object.keys(young)]);
    const step = (key: string) => (Array.isArray(old) ? `${path}[${key}]` : path ? `${path}.${key}` : key);
    return [...keys].flatMap((key) => fieldChanges(step(key), old[key], young[key]));
  }
  if (old === young) return [];
  return [{ path, ...(old !== undefined && { old }), ...(young !== undefined && { new: young }) }];
}

function isNested(json: Json | undefined): json is { [key: string]: Json } {
  return typeof json === 'object' && json !== null;
}

function listChanges(old: StoredDocument | undefined, young: StoredDocument | undefined): FieldChange[] {
  if (!old || !young) return [];
  const before = new Map(old.entries.map(({ list, sortKey }) => [list, sortKey]));
  const after = new Map(young.entries.map(({ list, sortKey }) => [list, sortKey]));
  const lists = new Set([...before.keys(), ...after.keys()]);
  return [...lists].flatMap((list) => fieldChanges(`list ${list}`, before.get(list), after.get(list)));
}
