import { addressOf, readText, textSpan } from './body-bytes.ts';
import { isoSeconds } from './iso-seconds.ts';

/** No other object in a proposal has a key of these names. */
const STATUS = Buffer.from('"status":"');
const EXPIRE = Buffer.from('"date_expire":"');
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
  const status = textSpan(stored, STATUS);
  const open = OPEN.has(readText(stored, status));
  const expired = open && readText(stored, textSpan(stored, EXPIRE)) <= isoSeconds(now);
  const head = expired
    ? [stored.subarray(0, status.start), Buffer.from('rejected'), stored.subarray(status.end, -1)]
    : [stored.subarray(0, -1)];
  return Buffer.concat([...head, Buffer.from(tail), dao, Buffer.from('}')]);
}

/** The proposal's own address. */
export function proposalAddress(stored: Buffer): string {
  return addressOf(stored);
}
