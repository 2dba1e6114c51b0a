import { crc32 } from 'node:zlib';
import { type Builder, beginCell, type Cell, type Slice } from '@ton/core';

/**
 * A message body or a tagged payload as its contract reads it. The TL-B line is the source of the
 * opcode, so that the two cannot drift apart.
 */
export interface MessageSchema<T> {
  /** The constructor's name in the TL-B line. */
  name: string;
  tlb: string;
  opcode: number;
  /** Reads the fields that follow the opcode. Throws where the cell is too short. */
  load: (slice: Slice) => T;
  /** Writes the opcode and the fields. */
  store: (message: T) => (builder: Builder) => void;
}

interface LoadStore<T> {
  load: (slice: Slice) => T;
  store: (message: T, builder: Builder) => void;
}

/**
 * Makes a schema of a TL-B line. By TON's rule the opcode is the CRC32 of the line, its highest bit
 * cleared for a request and set for a response.
 */
export function messageSchema<T>(
  tlb: string,
  { load, store }: LoadStore<T>,
  direction: 'request' | 'response' = 'request',
): MessageSchema<T> {
  const opcode = tlbOpcode(tlb, direction);
  return {
    name: tlb.slice(0, tlb.indexOf(' ')),
    tlb,
    opcode,
    load,
    store: (message) => (builder) => {
      builder.storeUint(opcode, 32);
      store(message, builder);
    },
  };
}

/** The body cell of a message. */
export function bodyOf<T>(schema: MessageSchema<T>, message: T): Cell {
  return beginCell().store(schema.store(message)).endCell();
}

function tlbOpcode(tlb: string, direction: 'request' | 'response'): number {
  const checksum = crc32(tlb.replaceAll(/[();]/g, ''));
  return direction === 'request' ? checksum & 0x7fff_ffff : (checksum | 0x8000_0000) >>> 0;
}
