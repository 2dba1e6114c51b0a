import { beginCell, Cell } from '@ton/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { base64Boc } from '../../../shared/chain/boc.ts';

const bits = fc.array(fc.boolean(), { maxLength: 200 });

/** Trees of cells, cells in common included. */
const tree: fc.Arbitrary<Cell> = fc.letrec<{ tree: Cell }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, cellOf(fc.constant([])), cellOf(fc.array(tie('tree'), { maxLength: 3 }))),
})).tree;

function cellOf(children: fc.Arbitrary<Cell[]>): fc.Arbitrary<Cell> {
  return fc.tuple(bits, children, fc.boolean(), fc.nat(9)).map(([data, refs, twice, skipped]) => {
    const builder = beginCell();
    for (const bit of data) builder.storeBit(bit);
    for (const ref of refs) builder.storeRef(ref);
    if (twice && refs[0]) builder.storeRef(refs[0]);
    const slice = builder.endCell().beginParse();
    // The rest of a slice has bits that begin within a byte.
    return beginCell()
      .storeSlice(slice.skip(Math.min(skipped, data.length)))
      .endCell();
  });
}

describe('a BOC', () => {
  it('holds the cell that it was written from, each cell of it once', () => {
    fc.assert(
      fc.property(tree, (cell) => {
        const written = Buffer.from(base64Boc(cell), 'base64');
        expect(Cell.fromBoc(written)[0]?.equals(cell)).to.equal(true);
        expect(written.length).to.equal(cell.toBoc({ idx: false, crc32: false }).length);
      }),
    );
  });

  it('does not depend on the BOC that the cell came from', () => {
    fc.assert(
      fc.property(tree, (cell) => {
        expect(base64Boc(Cell.fromBoc(cell.toBoc())[0] as Cell)).to.equal(base64Boc(cell));
      }),
    );
  });

  it('of many cells has wider references', () => {
    let cell = beginCell().endCell();
    for (let n = 0; n < 900; n++) cell = beginCell().storeUint(n, 32).storeRef(cell).endCell();
    expect(Cell.fromBase64(base64Boc(cell)).equals(cell)).to.equal(true);
  });
});
