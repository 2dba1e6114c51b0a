import type { Cell } from '@ton/core';

/**
 * A cell as a base64 BOC with one root, without index and checksum: what `cell.toBoc()` of @ton/core
 * writes, bit by bit there, in a quarter of the time. Equal cells are written once, so that the bytes
 * depend on the cell alone and not on the BOC that it came from.
 */
export function base64Boc(root: Cell): string {
  const cells: Cell[] = [];
  const places = new Map<string, number>();
  collect(root, cells, places);
  // Collected children first; written parents first.
  const last = cells.length - 1;
  const refSize = cells.length < 0x100 ? 1 : cells.length < 0x1_0000 ? 2 : 3;
  const bytes = cells.reduce(
    (sum, { bits, refs }) => sum + 2 + ((bits.length + 7) >> 3) + refs.length * refSize,
    0,
  );
  const offsetSize = bytes < 0x100 ? 1 : bytes < 0x1_0000 ? 2 : 3;
  const boc = Buffer.alloc(6 + 4 * refSize + offsetSize + bytes);
  let at = boc.writeUInt32BE(0xb5ee9c72, 0);
  at = boc.writeUInt8(refSize, at);
  at = boc.writeUInt8(offsetSize, at);
  at = boc.writeUIntBE(cells.length, at, refSize);
  at = boc.writeUIntBE(1, at, refSize);
  at = boc.writeUIntBE(0, at, refSize);
  at = boc.writeUIntBE(bytes, at, offsetSize);
  at = boc.writeUIntBE(0, at, refSize);
  for (let index = last; index >= 0; index--) {
    const cell = cells[index] as Cell;
    at = writeData(boc, at, cell);
    for (const ref of cell.refs) at = boc.writeUIntBE(last - (places.get(keyOf(ref)) ?? 0), at, refSize);
  }
  return boc.toString('base64');
}

/** Children before parents, each once; a cell is at most 1024 deep. */
function collect(cell: Cell, cells: Cell[], places: Map<string, number>): void {
  const key = keyOf(cell);
  if (places.has(key)) return;
  for (const ref of cell.refs) collect(ref, cells, places);
  places.set(key, cells.length);
  cells.push(cell);
}

function keyOf(cell: Cell): string {
  return cell.hash().toString('latin1');
}

function writeData(boc: Buffer, start: number, { bits, refs, isExotic, mask }: Cell): number {
  const whole = bits.length >> 3;
  const rest = bits.length & 7;
  let at = boc.writeUInt8(refs.length | (isExotic ? 8 : 0) | (mask.value << 5), start);
  at = boc.writeUInt8(2 * whole + (rest > 0 ? 1 : 0), at);
  const data = bits.subbuffer(0, 8 * whole);
  if (data) at += data.copy(boc, at);
  else for (let byte = 0; byte < whole; byte++) at = boc.writeUInt8(bitsAt(bits, 8 * byte, 8), at);
  // The end of incomplete bytes is marked by a 1 and zeros.
  return rest > 0
    ? boc.writeUInt8((((bitsAt(bits, 8 * whole, rest) << 1) | 1) << (7 - rest)) & 0xff, at)
    : at;
}

function bitsAt(bits: Cell['bits'], offset: number, count: number): number {
  let value = 0;
  for (let index = offset; index < offset + count; index++) value = (value << 1) | Number(bits.at(index));
  return value;
}
