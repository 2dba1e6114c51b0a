import { BitString, Cell, Slice } from '@ton/core';
import { ByteReader } from './byte-reader.ts';

const MAGIC = 0xb5ee9c72;

/**
 * The content of the root cell of a base64 BOC. A fold asks for no hash of it, which is what making a
 * `Cell` mostly costs; cells below it are cells.
 */
export function sliceOf(boc: string): Slice {
  const bytes = Buffer.from(boc, 'base64');
  return readRoot(bytes) ?? (Cell.fromBoc(bytes)[0] as Cell).beginParse();
}

/** Undefined where it is not one ordinary root of fewer than 256 cells without an index. */
function readRoot(boc: Buffer): Slice | undefined {
  if (boc.length < 11 || boc.readUInt32BE(0) !== MAGIC) return undefined;
  // One byte each: flags and size of references, size of offsets, cells, roots, absent cells.
  const [flags, offsetBytes = 0, cells = 0] = [boc[4] ?? 0, boc[5], boc[6]];
  // Whether there is a checksum (64) is all the same.
  if ((flags & ~64) !== 1 || boc[7] !== 1 || boc[8] !== 0 || boc[9 + offsetBytes] !== 0) return undefined;
  const raw: RawCell[] = [];
  for (let index = 0, at = 10 + offsetBytes; index < cells; index++) {
    const cell = rawCell(boc, at);
    if (!cell) return undefined;
    raw.push(cell);
    at = cell.end;
  }
  const built: Cell[] = [];
  // Cells come after those that refer to them.
  for (let index = cells - 1; index > 0; index--) {
    const { data, bits, refs } = raw[index] as RawCell;
    built[index] = new Cell({ bits: new BitString(data, 0, bits), refs: cellsAt(built, refs) });
  }
  const root = raw[0];
  return root && new Slice(new ByteReader(root.data, root.bits), cellsAt(built, root.refs));
}

interface RawCell {
  data: Buffer;
  bits: number;
  /** Places of the cells that it refers to. */
  refs: Uint8Array;
  end: number;
}

/** Undefined for one that is not ordinary or not whole. */
function rawCell(boc: Buffer, at: number): RawCell | undefined {
  const [references, size] = [boc[at], boc[at + 1]];
  if (references === undefined || size === undefined || references > 4) return undefined;
  const dataEnd = at + 2 + ((size + 1) >> 1);
  const end = dataEnd + references;
  if (end > boc.length) return undefined;
  const data = boc.subarray(at + 2, dataEnd);
  const bits = size % 2 === 0 ? 4 * size : bitsBeforeMark(data);
  if (bits === undefined) return undefined;
  return { data, bits, refs: boc.subarray(dataEnd, end), end };
}

/** The end of incomplete bytes is marked by a 1 and zeros. */
function bitsBeforeMark(data: Buffer): number | undefined {
  const last = data.at(-1) ?? 0;
  return last === 0 ? undefined : 8 * data.length - 1 - Math.log2(last & -last);
}

function cellsAt(built: Cell[], places: Uint8Array): Cell[] {
  return Array.from(places, (place) => {
    const cell = built[place];
    if (!cell) throw new RangeError(`a BOC refers to cell ${place} before it is there`);
    return cell;
  });
}
