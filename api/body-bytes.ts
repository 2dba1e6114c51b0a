/**
 * Stored bodies are read and patched in their bytes: to parse and write a page of them again would cost
 * more than all the rest of the request. It is safe since a quote inside a JSON string is always
 * escaped, so that `"key":` can only be a key; the first of that name is the one that is meant.
 */
const QUOTE = 0x22;

export interface Span {
  start: number;
  end: number;
}

/** Where the text after `key`, given as `"key":"`, stands. Throws where the body has no such key. */
export function textSpan(body: Buffer, key: Buffer): Span {
  const found = body.indexOf(key);
  if (found < 0) throw new Error(`a stored body lacks ${key.toString()}`);
  const start = found + key.length;
  return { start, end: body.indexOf(QUOTE, start) };
}

/** For texts of ASCII without escapes: addresses, times, states. */
export function readText(body: Buffer, { start, end }: Span): string {
  return body.toString('latin1', start, end);
}

const ADDRESS = Buffer.from('"address":"');

/** The `address` of a body that begins with it, or has no other before it. */
export function addressOf(body: Buffer): string {
  return readText(body, textSpan(body, ADDRESS));
}

const COMMA = Buffer.from(',');

/** Bodies with commas between, as pieces to be put together with others. */
export function commaSeparated(bodies: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (const body of bodies) pieces.push(body, COMMA);
  pieces.pop();
  return pieces;
}
