import { expect } from 'chai';
import fc from 'fast-check';
import { packBatch, unpackBatch } from '../../projector/rebuild/packed-batch.ts';
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

const placed = fc.option(
  fc.array(fc.record({ list: text, sortKey: text, body: bytes.map((body) => body ?? Buffer.alloc(0)) })),
);

describe('a batch between threads', () => {
  it('arrives as it was', () => {
    const documents = fc.uniqueArray(document, {
      selector: ({ model, key }) => JSON.stringify([model, key]),
    });
    fc.assert(
      fc.property(documents, placed, fc.nat(), (sent, entries, offset) => {
        const checkpoint = { offset, asOf: null, digest: '0', edits: 1, tally: {} };
        const batch = { partition: 3, base: { offset: 1, edits: 0 }, checkpoint, documents: sent };
        const whole = entries ? { ...batch, placed: entries } : batch;
        expect(unpackBatch(structuredClone(packBatch(whole)))).to.deep.equal(whole);
      }),
    );
  });
});
