import type { ListEntry } from '../../shared/read-store/read-store.ts';
import type { JsonObject } from '../account-fold.ts';
import { type DocumentPlace, type FinishedDocument, inOrder, renderDocument } from '../document-draft.ts';
import { projectionOf } from '../projections/projections.ts';

/**
 * What a shard knows of a document, beginning with read model and key: the parts of its accounts
 * (account, JSON or null where it took its word back, and so on), or the document itself. Where nobody
 * else may have a say, the document that the parts make is there, too.
 */
export type DocumentRow = PartsRow | WholeRow;
export type PartsRow = [id: string, dao: string, offset: number, parts: (string | null)[], made: Made | null];
type Made = [body: Buffer | null, digest: string, ...entries: string[]];
export type WholeRow = [
  id: string,
  dao: string,
  offset: number,
  parts: null,
  body: Buffer | null,
  state: Buffer | null,
  entries: ListEntry[],
];

/** Begins a row. In their order, read models lie together. */
export function rowId(model: string, key: string): string {
  return `${model}\0${key}`;
}

/** What the only part of a document makes of it, unless others are likely to have parts in it. */
export function madeOf(at: DocumentPlace, account: string, part: JsonObject | null): Made | null {
  if (projectionOf(at.model).shared) return null;
  const { document, digest } = renderDocument(at, new Map(part ? [[account, part]] : []), '');
  const made: Made = [document.body, digest.toString(16)];
  for (const { list, sortKey } of document.entries) made.push(list, sortKey);
  return made;
}

/** The document that the rows of all shards make; later ones of a shard come after earlier ones. */
export function documentOf(rows: DocumentRow[]): FinishedDocument {
  const last = rows.at(-1) as DocumentRow;
  const [id, dao, offset] = last;
  const cut = id.indexOf('\0');
  const at = { model: id.slice(0, cut), key: id.slice(cut + 1), dao, offset };
  if (isWhole(last)) {
    const [, , , , body, state, entries] = last;
    return { document: { ...at, body, state, entries }, digest: 0n };
  }
  const made = rows.length === 1 ? last[4] : null;
  if (made) {
    const [body, digest, ...places] = made;
    const entries: ListEntry[] = [];
    for (let i = 0; i < places.length; i += 2)
      entries.push({ list: places[i] as string, sortKey: places[i + 1] as string });
    const [account, text] = last[3];
    const state = Buffer.from(account && text ? stateOf([[account, text]]) : '{}');
    return { document: { ...at, body, state, entries }, digest: BigInt(`0x${digest}`) };
  }
  for (const row of rows) at.offset = Math.max(at.offset, row[2]);
  const texts = inOrder(lastWords(rows));
  const parts = new Map<string, JsonObject>();
  for (const [account, text] of texts) parts.set(account, JSON.parse(text));
  return renderDocument(at, parts, stateOf(texts));
}

/** About what a row takes in a file. */
export function sizeOfRow(row: DocumentRow): number {
  const size = row[0].length + row[1].length;
  if (isWhole(row)) return size + (row[4]?.length ?? 0) + (row[5]?.length ?? 0);
  return row[3].reduce((sum, text) => sum + (text?.length ?? 0), size + (row[4]?.[0]?.length ?? 0));
}

function isWhole(row: DocumentRow): row is WholeRow {
  return row[3] === null;
}

/** Of each account, as JSON. */
function lastWords(rows: DocumentRow[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const row of rows) {
    const parts = row[3] ?? [];
    for (let i = 0; i < parts.length; i += 2) {
      const [account, text] = [parts[i] as string, parts[i + 1]];
      if (typeof text === 'string') texts.set(account, text);
      else texts.delete(account);
    }
  }
  return texts;
}

function stateOf(texts: Iterable<[string, string]>): string {
  let state = '';
  for (const [account, text] of texts) state += `${state && ','}${JSON.stringify(account)}:${text}`;
  return `{${state}}`;
}
