import { beginCell, Cell } from '@ton/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { joinBags } from './chain/boc.ts';
import { methodId } from './chain/method-id.ts';

describe('devnet: bags of cells', () => {
  const cellOfDepth = (depth: number): fc.Arbitrary<Cell> => {
    const refs = depth > 0 ? fc.array(cellOfDepth(depth - 1), { maxLength: 3 }) : fc.constant([]);
    return fc.tuple(fc.bigInt(0n, 2n ** 200n - 1n), fc.nat(200), refs).map(([value, bits, children]) => {
      const builder = beginCell().storeUint(value & ((1n << BigInt(bits)) - 1n), bits);
      for (const child of children) {
        builder.storeRef(child);
      }
      return builder.endCell();
    });
  };
  const cell = cellOfDepth(4);

  it('are joined into one that @ton/core reads back, root by root', () => {
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 1, maxLength: 25 }),
        fc.boolean(),
        fc.boolean(),
        (cells, idx, crc32) => {
          const joined = joinBags(cells.map((one) => one.toBoc({ idx, crc32 })));
          const read = Cell.fromBoc(joined);
          expect(read.map((one) => one.hash().toString('hex'))).to.deep.equal(
            cells.map((one) => one.hash().toString('hex')),
          );
        },
      ),
    );
  });

  it('that are none are refused', () => {
    expect(() => joinBags([Buffer.from('not a bag of cells')])).to.throw('not a bag of cells');
  });

  it('and the numbers of get-methods are those of the standard', () => {
    expect(methodId('get_jetton_data')).to.equal(106029);
    expect(methodId('get_wallet_data')).to.equal(97026);
    expect(methodId('seqno')).to.equal(85143);
  });
});
