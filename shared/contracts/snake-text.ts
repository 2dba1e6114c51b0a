import { type Builder, beginCell, type Cell, type Slice } from '@ton/core';

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

/** The text as a snake cell of its own. */
export function snakeText(text: string): Cell {
  return snakeBytes(Buffer.from(text, 'utf8'));
}

/** The bytes as a snake cell, `first` bytes in its first cell and 127 in each further one. */
export function snakeBytes(bytes: Buffer, first = BYTES_PER_CELL, prefix?: Builder): Cell {
  const builder = (prefix ?? beginCell()).storeBuffer(bytes.subarray(0, first));
  if (bytes.length > first) builder.storeRef(snakeBytes(bytes.subarray(first)));
  return builder.endCell();
}
