import { beginCell, type Cell, type Slice } from '@ton/core';

const BYTES_PER_CELL = 127;

/** UTF-8 text in snake form: whole bytes, continued in the first reference (TEP-64). Invalid bytes become U+FFFD. */
export function loadSnakeText(slice: Slice): string {
  return loadSnakeBytes(slice).toString('utf8');
}

/** The bytes of a snake. Throws where a cell does not hold whole bytes. */
export function loadSnakeBytes(slice: Slice): Buffer {
  const chunks: Buffer[] = [];
  let rest: Slice | null = slice;
  while (rest) {
    if (rest.remainingBits % 8 !== 0) throw new RangeError(`snake data of ${rest.remainingBits} bits`);
    chunks.push(rest.loadBuffer(rest.remainingBits / 8));
    rest = rest.remainingRefs > 0 ? rest.loadRef().beginParse() : null;
  }
  return Buffer.concat(chunks);
}

/** The text as a snake cell of its own, 127 bytes a cell. */
export function snakeText(text: string): Cell {
  const bytes = Buffer.from(text, 'utf8');
  let cell: Cell | null = null;
  const last = Math.max(0, Math.ceil(bytes.length / BYTES_PER_CELL) - 1);
  for (let chunk = last; chunk >= 0; chunk--) {
    const builder = beginCell().storeBuffer(
      bytes.subarray(chunk * BYTES_PER_CELL, (chunk + 1) * BYTES_PER_CELL),
    );
    if (cell) builder.storeRef(cell);
    cell = builder.endCell();
  }
  return cell as Cell;
}
