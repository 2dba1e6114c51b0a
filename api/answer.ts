import { commaSeparated } from './body-bytes.ts';

/** What an endpoint found. `body` is null where the client has it already (304). */
export interface Answer {
  etag: string;
  /** Name and value in turn. */
  headers: readonly string[];
  body: Buffer | null;
}

/**
 * A strong ETag out of the versions of all that an answer depends on. Not a hash of them: that would
 * cost more than to look the versions up.
 */
export function etagOf(...parts: readonly (string | number)[]): string {
  return `"${encodeURIComponent(parts.join('~'))}"`;
}

const TAGS = /(?:W\/)?("[^"]*")/g;

/** RFC 9110, section 13.1.2: weak comparison, a list, or `*` for whatever there is. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  for (const match of header.matchAll(TAGS)) {
    if (match[1] === etag) return true;
  }
  return false;
}

const END = Buffer.from(']}');

/** The envelope of a list around bodies that are JSON already. */
export function joinPage(total: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(`{"total":${total},"items":[`), ...commaSeparated(items), END]);
}
