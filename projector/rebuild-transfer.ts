import type { CommitBatch, ListEntry, StoredDocument } from '../shared/read-store/read-store.ts';

/**
 * A batch as it goes from the thread that folded it to the one that commits it: a few large values,
 * since a message of many small objects costs more than folding them.
 */
export interface PackedBatch extends Omit<CommitBatch, 'documents'> {
  /** Bodies and states, one after the other. */
  bytes: Uint8Array;
  /** Read model, key and DAO of each document, then list and sort key of each of its entries. */
  texts: string[];
  /** Offset, sizes of body and state (-1 = null) and number of entries of each document. */
  numbers: Float64Array;
}

const NUMBERS = 4;

/** Documents go in the order of their keys, in which stores write them quickest. */
export function packBatch({ documents, ...batch }: CommitBatch): PackedBatch {
  const sorted = documents.toSorted(byKey);
  const size = sorted.reduce((sum, { body, state }) => sum + (body?.length ?? 0) + (state?.length ?? 0), 0);
  // Not of a pool: what is sent is gone here, with all that shares its memory.
  const bytes = Buffer.allocUnsafeSlow(size);
  const texts: string[] = [];
  const numbers = new Float64Array(NUMBERS * sorted.length);
  let at = 0;
  for (const [index, { model, key, dao, body, state, entries, offset }] of sorted.entries()) {
    texts.push(model, key, dao);
    for (const { list, sortKey } of entries) texts.push(list, sortKey);
    numbers.set([offset, body?.length ?? -1, state?.length ?? -1, entries.length], NUMBERS * index);
    at += body?.copy(bytes, at) ?? 0;
    at += state?.copy(bytes, at) ?? 0;
  }
  return { ...batch, bytes, texts, numbers };
}

export function unpackBatch({ bytes, texts, numbers, ...batch }: PackedBatch): CommitBatch {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const documents: StoredDocument[] = [];
  let at = 0;
  const slice = (size: number) => (size < 0 ? null : all.subarray(at, (at += size)));
  let text = 0;
  const next = () => texts[text++] ?? '';
  for (let index = 0; index < numbers.length; index += NUMBERS) {
    const [offset = 0, bodySize = 0, stateSize = 0, count = 0] = numbers.subarray(index, index + NUMBERS);
    const [model, key, dao] = [next(), next(), next()];
    const entries: ListEntry[] = [];
    for (let entry = 0; entry < count; entry++) entries.push({ list: next(), sortKey: next() });
    const [body, state] = [slice(bodySize), slice(stateSize)];
    documents.push({ model, key, dao, body, state, entries, offset });
  }
  return { ...batch, documents };
}

function byKey(a: StoredDocument, b: StoredDocument): number {
  if (a.model !== b.model) return a.model < b.model ? -1 : 1;
  return a.key < b.key ? -1 : 1;
}
