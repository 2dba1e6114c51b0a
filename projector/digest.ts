import { hash } from 'node:crypto';
import type { StoredDocument } from '../shared/read-store/read-store.ts';

const MODULUS = 1n << 256n;

/**
 * What a document adds to the digest of its generation: SHA-256 over read model, key, entries and
 * body, each with its length before it. A sum of such numbers modulo 2^256 does not depend on the
 * order in which documents were written, and a changed document is taken out and put in anew.
 */
export function documentDigest(document: Omit<StoredDocument, 'state' | 'offset'>): bigint {
  if (!document.body) return 0n;
  const { model, key, entries, body } = document;
  let text = `${model.length}:${model}${key.length}:${key}`;
  for (const { list, sortKey } of entries) text += `${list.length}:${list}${sortKey.length}:${sortKey}`;
  // In one call: hashing takes less than what each call of it does.
  return BigInt(`0x${hash('sha256', `${text}${body.length}:${body.toString()}`)}`);
}

/** Sum of digests modulo 2^256, as 64 hex digits. */
export function addDigests(...digests: (string | bigint)[]): string {
  let sum = 0n;
  for (const digest of digests) sum += typeof digest === 'bigint' ? digest : BigInt(`0x${digest}`);
  return (((sum % MODULUS) + MODULUS) % MODULUS).toString(16).padStart(64, '0');
}
