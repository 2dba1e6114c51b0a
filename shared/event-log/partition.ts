import { createHash } from 'node:crypto';

/** The partition of a DAO: the first 32 bits of SHA-256 of its raw address, modulo the count. */
export function partitionOf(dao: string, partitions: number): number {
  return createHash('sha256').update(dao).digest().readUInt32BE(0) % partitions;
}
