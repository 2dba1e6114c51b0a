import { expect } from 'chai';
import type {
  CommitBatch,
  ReadStore,
  ReadView,
  StoredDocument,
} from '../../../shared/read-store/read-store.ts';
import { batchOf, documentOf, entry, parsed } from '../../conformance/documents.ts';

const DOCUMENTS = 90;

/**
 * The n-th batch writes n into every document and moves it to another place of the list, which
 * holds all of them after one batch and few after the next, so that its tree grows and shrinks.
 */
export function nthBatch(n: number): CommitBatch {
  return batchOf(n - 1, n, documentsAfter(n));
}

function documentsAfter(n: number): StoredDocument[] {
  return Array.from({ length: DOCUMENTS }, (_, i) => {
    const listed = n % 2 === 1 || i % 10 === 0;
    const place = String((i * 7 + n * 13) % DOCUMENTS).padStart(3, '0');
    return documentOf(`d${i}`, listed ? { n, i } : null, listed ? [entry('all', place)] : [], n);
  });
}

/** What a view shows is what some number of batches made, and nothing of any other. Resolves with that number. */
async function wholeBatches(view: ReadView): Promise<number> {
  const n = (await view.asOf(0))?.seqno ?? 0;
  const listed = n === 0 ? [] : documentsAfter(n).filter(({ body }) => body !== null);
  const place = ({ entries }: StoredDocument) => entries[0]?.sortKey ?? '';
  const ordered = listed.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  const page = await view.page('all', 0, 1000);
  expect(parsed(page.items)).to.deep.equal(ordered.map(({ body }) => JSON.parse(String(body)) as unknown));
  expect(page.total).to.equal(ordered.length);
  for (const document of [ordered[0], ordered.at(-1)])
    if (document !== undefined)
      expect((await view.get('holder', document.key))?.body).to.deep.equal(document.body);
  const middle = ordered[ordered.length >> 1];
  if (middle !== undefined) expect(await view.rank('all', place(middle))).to.equal(ordered.length >> 1);
  return n;
}

/** The same of the store as it stands. */
export async function batchesIn(store: ReadStore): Promise<number> {
  return (await store.view(wholeBatches)) ?? -1;
}
