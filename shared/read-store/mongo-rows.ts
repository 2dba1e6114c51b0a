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
  dao: string;
  offset: number;
  body: Buffer | null;
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

type Slot = 'a' | 'b';

/**
 * A row holds its last two images, each with the commit of its partition that made it, so that a
 * reader of the commit before the one that is being applied finds what it needs: a commit writes
 * over the elder image.
 */
export interface Row<T extends AnyImage = AnyImage> {
  _id: string;
  /** Partition that it comes from. */
  p: number;
  /** Commit of its newest image. */
  c: number;
  a?: T & { c: number };
  b?: T & { c: number };
}

/** What a commit makes of one row. */
export interface RowChange {
  table: Table;
  key: string;
  slot: Slot;
  /** There was no such row before. */
  fresh: boolean;
  image: AnyImage;
}

/** The reader's commit is so long past that a row holds no image of it any more. */
export class SnapshotGone extends Error {}

/** The row's image as of a commit of its partition. Throws SnapshotGone where both of its images are younger. */
export function imageAt<T extends AnyImage>(row: Row<T>, commit: number): T | undefined {
  const [newer, elder] = [row.a, row.b].sort((x, y) => (y?.c ?? -1) - (x?.c ?? -1));
  if (newer !== undefined && newer.c <= commit) return newer;
  if (elder === undefined) return undefined;
  if (elder.c <= commit) return elder;
  throw new SnapshotGone();
}

/** What `image` makes of a row that stands as it was read. */
export function changeRow(table: Table, key: string, row: Row | undefined, image: AnyImage): RowChange {
  const slot = row?.a === undefined || (row.b !== undefined && row.b.c > row.a.c) ? 'a' : 'b';
  return { table, key, slot, fresh: row === undefined, image };
}

/**
 * The guard is in the filter: images of a commit never replace those of a later one, nor
 * themselves, so that they may be applied any number of times and by anybody.
 */
export function rowUpdate(partition: number, commit: number, { key, slot, fresh, image }: RowChange): Update {
  return {
    filter: { _id: key, c: { $lt: commit } },
    update: { $set: { p: partition, c: commit, [slot]: { ...image, c: commit } } },
    upsert: fresh,
  };
}

/** What the images of a document take in a row. A row holds two, and MongoDB documents of 16 MB. */
const LARGEST = 7 * 1024 * 1024;

export function documentImage(document: StoredDocument, version: number): DocumentImage {
  const { model, key, dao, offset, body, state } = document;
  const entries = JSON.stringify(document.entries.flatMap(({ list, sortKey }) => [list, sortKey]));
  const image = { version, dao, offset, body, state, entries };
  const size = bytesOf(image) + Buffer.byteLength(key);
  if (size <= LARGEST) return image;
  throw new InvalidInputError(
    'DOCUMENT_SIZE',
    `${model} ${key.slice(0, 80)} takes ${size} bytes, and MongoDB can hold ${LARGEST}. Nothing was committed.`,
  );
}

/** About what an image takes in MongoDB, without the names of its fields. */
export function bytesOf(image: AnyImage): number {
  if ('node' in image) return image.node.length;
  if (!('entries' in image)) return 0;
  return (image.body?.length ?? 0) + (image.state?.length ?? 0) + 2 * image.entries.length;
}

export function entriesOf({ entries }: DocumentImage): ListEntry[] {
  const stored: string[] = JSON.parse(entries);
  const found: ListEntry[] = [];
  for (let i = 0; i < stored.length; i += 2)
    found.push({ list: stored[i] as string, sortKey: stored[i + 1] as string });
  return found;
}

export function storedDocument(key: DocumentKey, image: DocumentImage): StoredDocument {
  const { dao, offset, body, state } = image;
  return { model: key.model, key: key.key, dao, body, state, entries: entriesOf(image), offset };
}

/** Below every character of a name; no null, which some servers refuse in a string. */
const BETWEEN = '\x01';
const AFTER = '\x02';

/** Byte strings, so that every server orders them by their bytes. */
export function documentId({ model, key }: DocumentKey): string {
  return byteString(`${model}${BETWEEN}${key}`);
}

export function documentKeyOf(id: string): DocumentKey {
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
