import { isoSeconds } from './iso-seconds.ts';

/**
 * A stored proposal is patched in its bytes: to parse and write a page of them again would cost more
 * than all the rest of the request. It is safe since a quote inside a JSON string is always escaped, so
 * that `"status":"` can only be a key; no other object in a proposal has a key of these names.
 */
const STATUS = Buffer.from('"status":"');
const EXPIRE = Buffer.from('"date_expire":"');
const ADDRESS = Buffer.from('"address":"');
const QUOTE = 0x22;
const OPEN = new Set(['active', 'unknown']);

interface ReadTime {
  /** Body of the DAO. */
  dao: Buffer;
  /** Unix seconds. */
  now: number;
  /** Absent where the token speaks for no wallet. */
  isUserVoted?: boolean;
}

/** The body of the answer: the clock decides the status, the DAO and the wallet's vote are joined. */
export function renderProposal(stored: Buffer, { dao, now, isUserVoted }: ReadTime): Buffer {
  const tail = `${isUserVoted === undefined ? '' : `,"is_user_voted":${isUserVoted}`},"dao":`;
  const status = span(stored, STATUS);
  const expired = OPEN.has(read(stored, status)) && read(stored, span(stored, EXPIRE)) <= isoSeconds(now);
  const head = expired
    ? [stored.subarray(0, status.start), Buffer.from('rejected'), stored.subarray(status.end, -1)]
    : [stored.subarray(0, -1)];
  return Buffer.concat([...head, Buffer.from(tail), dao, Buffer.from('}')]);
}

/** The proposal's own address. */
export function proposalAddress(stored: Buffer): string {
  return read(stored, span(stored, ADDRESS));
}

interface Span {
  start: number;
  end: number;
}

function span(body: Buffer, key: Buffer): Span {
  const found = body.indexOf(key);
  if (found < 0) throw new Error(`a stored proposal lacks ${key.toString()}`);
  const start = found + key.length;
  return { start, end: body.indexOf(QUOTE, start) };
}

function read(body: Buffer, { start, end }: Span): string {
  return body.toString('latin1', start, end);
}
