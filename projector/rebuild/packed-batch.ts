import type {
  CommitBatch,
  ListEntry,
  PlacedEntry,
  StoredDocument,
} from '../../shared/read-store/read-store.ts';

/**
 * A batch as it goes from the thread that made it to the one that commits it: a few large values,
 * since a message of many small objects costs more than making them.
 */
export interface PackedBatch extends Omit<CommitBatch, 'documents' | 'placed'> {
  /** Bodies and states of the documents, then bodies of the placed entries, one after the other. */
  bytes: Uint8Array;
  /** Read model, key and DAO of each document, then list and sort key of each of its entries; those of placed entries follow. */
  texts: string[];
  /** Offset, sizes of body and state (-1 = null) and number of entries of each document. */
  numbers: Float64Array;
  /** Sizes of the placed entries' bodies; undefined where the batch places none. */
  placed: number[] | undefined;
}

const NUMBERS = 4;

export function packBatch({ documents, placed, ...batch }: CommitBatch): PackedBatch {
  const sizes = placed?.map(({ body }) => body.length);
  const size = documents.reduce(
    (sum, { body, state }) => sum + (body?.length ?? 0) + (state?.length ?? 0),
    sizes?.reduce((sum, each) => sum + each, 0) ?? 0,
  );
  // Not of a pool: what is sent is gone here, with all that shares its memory.
  const bytes = Buffer.allocUnsafeSlow(size);
  const texts: string[] = [];
  const numbers = new Float64Array(NUMBERS * documents.length);
  let at = 0;
  for (const [index, { model, key, dao, body, state, entries, offset }] of documents.entries()) {
    texts.push(model, key, dao);
    for (const { list, sortKey } of entries) texts.push(list, sortKey);
    const start = NUMBERS * index;
    numbers[start] = offset;
    numbers[start + 1] = body?.length ?? -1;
    numbers[start + 2] = state?.length ?? -1;
    numbers[start + 3] = entries.length;
    at += body?.copy(bytes, at) ?? 0;
    at += state?.copy(bytes, at) ?? 0;
  }
  for (const { list, sortKey, body } of placed ?? []) {
    texts.push(list, sortKey);
    at += body.copy(bytes, at);
  }
  return { ...batch, bytes, texts, numbers, placed: sizes };
}

export function unpackBatch({ bytes, texts, numbers, placed, ...batch }: PackedBatch): CommitBatch {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const slice = (size: number) => all.subarray(at, (at += size));
  let text = 0;
  const next = () => texts[text++] ?? '';
  const nextEntry = (): ListEntry => ({ list: next(), sortKey: next() });
  const documents: StoredDocument[] = [];
  for (let index = 0; index < numbers.length; index += NUMBERS) {
    const [offset = 0, bodySize = 0, stateSize = 0, count = 0] = [0, 1, 2, 3].map((n) => numbers[index + n]);
    const [model, key, dao] = [next(), next(), next()];
    const entries: ListEntry[] = [];
    for (let entry = 0; entry < count; entry++) entries.push(nextEntry());
    const body = bodySize < 0 ? null : slice(bodySize);
    const state = stateSize < 0 ? null : slice(stateSize);
    documents.push({ model, key, dao, body, state, entries, offset });
  }
  const entries = placed?.map((size): PlacedEntry => ({ ...nextEntry(), body: slice(size) }));
  return { ...batch, documents, ...(entries && { placed: entries }) };
}
