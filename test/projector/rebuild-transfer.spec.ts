import { expect } from 'chai';
import fc from 'fast-check';
import { packBatch, unpackBatch } from '../../projector/rebuild-transfer.ts';
import type { StoredDocument } from '../../shared/read-store/read-store.ts';

const bytes = fc.option(fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)));
const text = fc.string({ unit: 'binary', maxLength: 10 });
const document: fc.Arbitrary<StoredDocument> = fc.record({
  model: text,
  key: text,
  dao: text,
  body: bytes,
  state: bytes,
  entries: fc.array(fc.record({ list: text, sortKey: text }), { maxLength: 3 }),
  offset: fc.nat(),
});

describe('a batch between threads', () => {
  it('arrives as it was, its documents in the order of their keys', () => {
    const documents = fc.uniqueArray(document, {
      selector: ({ model, key }) => JSON.stringify([model, key]),
    });
    fc.assert(
      fc.property(documents, fc.nat(), (sent, offset) => {
        const checkpoint = { offset, asOf: null, digest: '0', edits: 1, tally: {} };
        const batch = { partition: 3, base: { offset: 1, edits: 0 }, checkpoint, documents: sent };
        const arrived = unpackBatch(structuredClone(packBatch(batch)));
        expect(arrived).to.deep.include({ partition: 3, base: batch.base, checkpoint });
        expect(arrived.documents).to.deep.equal(sent.toSorted(byModelThenKey));
      }),
    );
  });
});

function byModelThenKey(a: StoredDocument, b: StoredDocument): number {
  const [left, right] = a.model === b.model ? [a.key, b.key] : [a.model, b.model];
  return left < right ? -1 : 1;
}
