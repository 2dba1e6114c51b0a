import { type Builder, beginCell, type Cell, type Slice } from '@ton/core';

/**
 * `forward_payload:(Either Cell ^Cell)`, TEP-74. How it was written is kept, so that a message is
 * stored as it was loaded; wallets in use also leave it out altogether (`missing`).
 */
export interface ForwardPayload {
  form: 'inline' | 'reference' | 'missing';
  cell: Cell;
}

export const noForwardPayload: ForwardPayload = { form: 'inline', cell: beginCell().endCell() };

export function loadForwardPayload(slice: Slice): ForwardPayload {
  if (slice.remainingBits === 0) return { form: 'missing', cell: restOf(slice) };
  if (!slice.loadBit()) return { form: 'inline', cell: restOf(slice) };
  return { form: 'reference', cell: slice.loadRef() };
}

export function storeForwardPayload(payload: ForwardPayload) {
  return (builder: Builder): void => {
    if (payload.form === 'missing') builder.storeSlice(payload.cell.beginParse());
    else if (payload.form === 'inline') builder.storeBit(false).storeSlice(payload.cell.beginParse());
    else builder.storeBit(true).storeRef(payload.cell);
  };
}

function restOf(slice: Slice): Cell {
  const rest = beginCell().storeSlice(slice).endCell();
  slice.skip(slice.remainingBits);
  while (slice.remainingRefs > 0) slice.loadRef();
  return rest;
}
