import { hash } from 'node:crypto';

/** Every record and every request asks; DAOs are few. */
const MOST_KNOWN = 10_000;
const known = new Map<string, number>();

/** The partition of a DAO: the first 32 bits of SHA-256 of its raw address, modulo the count. */
export function partitionOf(dao: string, partitions: number): number {
  let bits = known.get(dao);
  if (bits === undefined) {
    bits = hash('sha256', dao, 'buffer').readUInt32BE(0);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(dao, bits);
  }
  return bits % partitions;
}
