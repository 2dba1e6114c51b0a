/** A bag of cells taken apart without hashing anything: what is copied need not be understood. */
interface RawBag {
  roots: number[];
  cells: { descriptors: Buffer; data: Buffer; refs: number[] }[];
}

const MAGIC = 0xb5ee9c72;

/**
 * Joins bags into one with all of their roots, in their order. @ton/core writes one root only, but
 * a v4 server answers a page of transactions as one bag. Cells that two bags share are written
 * twice, which the format allows.
 */
export function joinBags(bags: Uint8Array[]): Buffer {
  const joined: RawBag = { roots: [], cells: [] };
  for (const bag of bags) {
    const { roots, cells } = readBag(Buffer.from(bag));
    const base = joined.cells.length;
    joined.roots.push(...roots.map((root) => root + base));
    for (const cell of cells) {
      joined.cells.push({ ...cell, refs: cell.refs.map((ref) => ref + base) });
    }
  }
  return writeBag(joined);
}

function readBag(bag: Buffer): RawBag {
  if (bag.readUInt32BE(0) !== MAGIC) {
    throw new RangeError(`not a bag of cells: it begins with ${bag.toString('hex', 0, 4)}`);
  }
  const flags = bag.readUInt8(4);
  const hasIndex = (flags & 0x80) !== 0;
  const refSize = flags & 7;
  const offsetSize = bag.readUInt8(5);
  let at = 6;
  const next = (size: number) => {
    at += size;
    return bag.readUIntBE(at - size, size);
  };
  const cellCount = next(refSize);
  const rootCount = next(refSize);
  next(refSize); // absent cells: none in what we store
  next(offsetSize);
  const roots = Array.from({ length: rootCount }, () => next(refSize));
  if (hasIndex) {
    at += cellCount * offsetSize;
  }
  const cells = Array.from({ length: cellCount }, () => {
    const descriptors = bag.subarray(at, at + 2);
    at += 2;
    const dataSize = Math.ceil(descriptors.readUInt8(1) / 2);
    const data = bag.subarray(at, at + dataSize);
    at += dataSize;
    const refs = Array.from({ length: descriptors.readUInt8(0) & 7 }, () => next(refSize));
    return { descriptors, data, refs };
  });
  return { roots, cells };
}

function writeBag({ roots, cells }: RawBag): Buffer {
  const refSize = byteSize(cells.length);
  const bodySize = cells.reduce((sum, cell) => sum + 2 + cell.data.length + cell.refs.length * refSize, 0);
  const offsetSize = byteSize(bodySize);
  const uint = (value: number, size: number) => {
    const buffer = Buffer.alloc(size);
    buffer.writeUIntBE(value, 0, size);
    return buffer;
  };
  const head = Buffer.alloc(6);
  head.writeUInt32BE(MAGIC, 0);
  head.writeUInt8(refSize, 4);
  head.writeUInt8(offsetSize, 5);
  return Buffer.concat([
    head,
    uint(cells.length, refSize),
    uint(roots.length, refSize),
    uint(0, refSize),
    uint(bodySize, offsetSize),
    ...roots.map((root) => uint(root, refSize)),
    ...cells.flatMap((cell) => [cell.descriptors, cell.data, ...cell.refs.map((ref) => uint(ref, refSize))]),
  ]);
}

function byteSize(value: number): number {
  return Math.max(1, Math.ceil(Math.log2(value + 1) / 8));
}
