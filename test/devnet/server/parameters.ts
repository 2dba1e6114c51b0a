import { Address, Cell } from '@ton/core';

/** What a request asks for cannot be read; answered with 400. */
export class MalformedError extends Error {}

/** The block asked for is not there yet; answered as `{exist: false}`. */
export class NotYetError extends Error {}

/** A liteserver would fail here; answered with 500 and a text. */
export class LiteserverError extends Error {}

export function readNumber(text: string | undefined, name: string): number {
  if (text === undefined || !/^\d{1,10}$/.test(text)) {
    throw new MalformedError(`${name} is not a number: ${text}`);
  }
  return Number(text);
}

export function readLt(text: string | undefined): bigint {
  if (text === undefined || !/^\d{1,20}$/.test(text)) {
    throw new MalformedError(`lt is not a number: ${text}`);
  }
  return BigInt(text);
}

export function readAddress(text: string | undefined): Address {
  try {
    return Address.parse(text ?? '');
  } catch (error) {
    throw new MalformedError(`not an address: ${text}`, { cause: error });
  }
}

/** A transaction hash in base64url without padding, as standard base64. */
export function readHash(text: string | undefined): string {
  const bytes = Buffer.from(text ?? '', 'base64url');
  if (bytes.length !== 32) {
    throw new MalformedError(`not a hash: ${text}`);
  }
  return bytes.toString('base64');
}

/** A bag with one root, in base64 or base64url. */
export function readBoc(text: unknown): Cell {
  try {
    const [cell] = Cell.fromBoc(Buffer.from(String(text), 'base64'));
    if (cell) {
      return cell;
    }
  } catch (error) {
    throw new MalformedError('not a bag of cells', { cause: error });
  }
  throw new MalformedError('a bag of cells without a root');
}
