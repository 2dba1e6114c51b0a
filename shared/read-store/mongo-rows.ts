import { InvalidInputError } from '../errors.ts';
import { byteString } from './list-node.ts';
import type { ListRoot } from './list-read.ts';
import type { Update } from './mongo-database.ts';
import type { DocumentKey, ListEntry, StoredDocument } from './read-store.ts';

/** The collections that a generation's rows are in, by what they are called after its id. */
export type Table = 'documents' | 'lists' | 'nodes';

/** `version` is the commit that last changed the body. */
export interface DocumentImage {
  version: number;
  body: Buffer | null;
}

/** What readers never see, apart so that it need not be fetched for them. */
export interface Hidden {
  dao: string;
  offset: number;
  state: Buffer | null;
  /** JSON: lists and sort keys by turns. */
  entries: string;
}

export interface ListImage extends Omit<ListRoot, 'id' | 'root'> {
  root: number | null;
}

export interface NodeImage {
  node: Buffer;
}

export type AnyImage = DocumentImage | ListImage | NodeImage;

/**
 * A row holds its last two images, each in a field named after the commit of its partition that
 * made it, so that a reader of the commit before the one that is being applied finds what it needs.
 *
 * What a commit does to a row may be done any number of times, by anybody and in any order: no two
 * commits set the same field, and the numbers only ever grow or shrink. An image that comes late
 * lies below `low`, where nobody looks, until the next commit takes it out.
 */
export interface Row<T extends AnyImage = AnyImage> {
  _id: string;
  /** Partition that it comes from. */
  p: number;
  /** The commit of its first image: there was no such row before it. */
  born: number;
  /** The commit of its elder image: what lies below may be gone. */
  low: number;
  i: Record<string, T>;
  h?: Record<string, Hidden>;
}

/** What a commit makes of one row. */
export interface RowChange {
  table: Table;
  key: string;
  image: AnyImage;
  hidden?: Hidden;
  /** The commit before, of those that the row has images of. */
  low: number;
  /** Fields of images that are too old by now. */
  old: string[];
}

/** The reader's commit is so long past that a row holds no image of it any more. */
export class SnapshotGone extends Error {}

/** The field of the row's images as of a commit. Throws SnapshotGone where it is too long past. */
export function fieldAt({ born, low, i }: Row, commit: number): string | undefined {
  if (commit < born) return undefined;
  if (commit < low) throw new SnapshotGone();
  const last = Math.max(...commitsOf(i).filter((each) => each <= commit));
  return fieldOf(last);
}

/** What `image` makes of a row that stands as it was read. */
export function changeRow(
  { table, key, commit }: { table: Table; key: string; commit: number },
  row: Row | undefined,
  image: AnyImage,
  hidden?: Hidden,
): RowChange {
  const before = row === undefined ? [] : commitsOf(row.i);
  const low = Math.max(...before.filter((each) => each < commit));
  return {
    table,
    key,
    image,
    ...(hidden && { hidden }),
    low: before.length === 0 ? commit : low,
    old: before.filter((each) => each < low).map(fieldOf),
  };
}

export function rowUpdate(partition: number, commit: number, change: RowChange): Update {
  const { key, image, hidden, low, old } = change;
  const field = fieldOf(commit);
  const unset = old.flatMap((each) => [
    [`i.${each}`, 1] as const,
    ...(hidden ? [[`h.${each}`, 1] as const] : []),
  ]);
  return {
    filter: { _id: key },
    update: {
      $set: { p: partition, [`i.${field}`]: image, ...(hidden && { [`h.${field}`]: hidden }) },
      $min: { born: commit },
      $max: { low },
      ...(unset.length > 0 && { $unset: Object.fromEntries(unset) }),
    },
    upsert: true,
  };
}

function fieldOf(commit: number): string {
  return `c${commit}`;
}

function commitsOf(images: Row['i']): number[] {
  return Object.keys(images).map((field) => Number(field.slice(1)));
}

/** What the images of a document take in a row. A row holds two, and MongoDB documents of 16 MB. */
const LARGEST = 7 * 1024 * 1024;

/** Throws an InvalidInputError where MongoDB could not hold it. */
export function hiddenOf({ model, key, dao, offset, body, state, ...document }: StoredDocument): Hidden {
  const entries = JSON.stringify(document.entries.flatMap(({ list, sortKey }) => [list, sortKey]));
  const hidden = { dao, offset, state, entries };
  const size = bytesOf({ version: 0, body }, hidden) + Buffer.byteLength(key);
  if (size <= LARGEST) return hidden;
  throw new InvalidInputError(
    'DOCUMENT_SIZE',
    `${model} ${key.slice(0, 80)} takes ${size} bytes, and MongoDB can hold ${LARGEST}. Nothing was committed.`,
  );
}

/** About what an image takes in MongoDB, without the names of its fields. */
export function bytesOf(image: AnyImage, hidden?: Hidden): number {
  const read = 'node' in image ? image.node.length : 'body' in image ? (image.body?.length ?? 0) : 0;
  return hidden === undefined ? read : read + (hidden.state?.length ?? 0) + Buffer.byteLength(hidden.entries);
}

export function entriesOf({ entries }: Hidden): ListEntry[] {
  const stored: string[] = JSON.parse(entries);
  const found: ListEntry[] = [];
  for (let i = 0; i < stored.length; i += 2)
    found.push({ list: stored[i] as string, sortKey: stored[i + 1] as string });
  return found;
}

/** The document in a field of its row. */
export function storedDocument(row: Row<DocumentImage>, field: string): StoredDocument | undefined {
  const [image, hidden] = [row.i[field], row.h?.[field]];
  if (image === undefined || hidden === undefined) return undefined;
  const { dao, offset, state } = hidden;
  return { ...documentKeyOf(row._id), dao, body: image.body, state, entries: entriesOf(hidden), offset };
}

/** Below every character of a name; no null, which some servers refuse in a string. */
const BETWEEN = '\x01';
const AFTER = '\x02';

/** Byte strings, so that every server orders them by their bytes. */
export function documentId({ model, key }: DocumentKey): string {
  return byteString(`${model}${BETWEEN}${key}`);
}

function documentKeyOf(id: string): DocumentKey {
  const text = Buffer.from(id, 'latin1').toString();
  const at = text.indexOf(BETWEEN);
  return { model: text.slice(0, at), key: text.slice(at + 1) };
}

/** Where the documents of a read model lie. */
export function modelRange(model: string): { $gte: string; $lt: string } {
  return { $gte: byteString(model + BETWEEN), $lt: byteString(model + AFTER) };
}

export function listId(list: string): string {
  return byteString(list);
}

export function nodeId(list: string, node: number): string {
  return `${byteString(list)}/${node.toString(36)}`;
}
