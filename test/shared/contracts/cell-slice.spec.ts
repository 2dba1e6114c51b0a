import { Address, type Builder, beginCell, Cell, type Slice } from '@ton/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { sliceOf } from '../../../shared/contracts/cell-slice.ts';

/** A field: how it is written, and how it is read to something that can be compared. */
interface Field {
  store(builder: Builder): void;
  load(slice: Slice): string;
}

const uint = fc.integer({ min: 1, max: 256 }).chain((bits) =>
  fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }).map(
    (value): Field => ({
      store: (builder) => builder.storeUint(value, bits),
      load: (slice) =>
        `${slice.preloadUintBig(bits)} ${bits <= 53 ? slice.loadUint(bits) : slice.loadUintBig(bits)}`,
    }),
  ),
);
const coins = fc.bigInt({ min: 0n, max: (1n << 120n) - 1n }).map(
  (value): Field => ({
    store: (builder) => builder.storeCoins(value),
    load: (slice) => `${slice.loadCoins()}`,
  }),
);
const bytes = fc.uint8Array({ maxLength: 40 }).map(
  (value): Field => ({
    store: (builder) => builder.storeBuffer(Buffer.from(value)),
    load: (slice) => slice.loadBuffer(value.length).toString('hex'),
  }),
);
const address = fc
  .option(fc.tuple(fc.integer({ min: -128, max: 127 }), fc.uint8Array({ minLength: 32, maxLength: 32 })))
  .map((parts): Field => {
    const value = parts && new Address(parts[0], Buffer.from(parts[1]));
    return {
      store: (builder) => builder.storeAddress(value),
      load: (slice) =>
        [slice.clone().loadMaybeAddress(), value ? slice.loadAddress() : slice.loadUint(2)].join(),
    };
  });
const bit = fc.boolean().map(
  (value): Field => ({
    store: (builder) => builder.storeBit(value),
    load: (slice) => `${slice.loadBit()}`,
  }),
);
const fields = fc.array(fc.oneof(uint, coins, bytes, address, bit), { maxLength: 3 });
const tree: fc.Memo<Tree> = fc.memo((depth) =>
  fc.record({ fields, below: depth > 1 ? fc.array(tree(depth - 1), { maxLength: 3 }) : fc.constant([]) }),
);

interface Tree {
  fields: Field[];
  below: Tree[];
}

describe('the content of a cell in a BOC', () => {
  it('is read as @ton/core reads it, whatever the fields and the cells below', () => {
    fc.assert(
      fc.property(tree(3), fc.boolean(), fc.boolean(), (content, idx, crc32) => {
        const cell = built(content);
        const boc = cell.toBoc({ idx, crc32 }).toString('base64');
        expect(read(sliceOf(boc), content.fields)).to.deep.equal(read(cell.beginParse(), content.fields));
        expect(sliceOf(boc).asCell().equals(cell)).to.equal(true);
      }),
      { numRuns: 500 },
    );
  });

  it('cannot be read beyond its end', () => {
    const boc = beginCell().storeUint(1, 31).endCell().toBoc().toString('base64');
    expect(() => sliceOf(boc).loadUint(32)).to.throw(RangeError);
    expect(() => sliceOf(boc).loadBuffer(4)).to.throw(RangeError);
    expect(() => sliceOf(boc).loadAddress()).to.throw();
    expect(() => sliceOf(boc).skip(32)).to.throw();
  });

  it('refuses what is no BOC, or only the beginning of one', () => {
    const whole = beginCell()
      .storeRef(Cell.EMPTY)
      .storeUint(1, 64)
      .endCell()
      .toBoc({ idx: false, crc32: false });
    for (let length = 0; length < whole.length; length++)
      expect(() => sliceOf(whole.subarray(0, length).toString('base64')), `${length} bytes`).to.throw();
  });
});

function built({ fields: own, below }: Tree): Cell {
  const builder = beginCell();
  for (const field of own) field.store(builder);
  for (const each of below) builder.storeRef(built(each));
  return builder.endCell();
}

function read(slice: Slice, written: Field[]): string[] {
  return written.map((field) => field.load(slice));
}
