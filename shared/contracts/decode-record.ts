import type { TransactionRecord } from '../event-log/record.ts';
import { type ContractEvent, decodeTransaction } from './contract-version.ts';
import { contractOf, readerOf } from './registry.ts';

/** A text comment; coins may carry one to any contract. */
const COMMENT = 0;

/** What a transaction means by the code that ran; nothing where that is not known. Throws as `decodeTransaction`. */
export function eventsOf(record: TransactionRecord): ContractEvent[] {
  const version = readerOf(record.kind, record.codeHash);
  return version ? decodeTransaction(version, record) : [];
}

/** The name of the in-message in its TL-B line, null where it is not known to the code that ran. */
export function messageName({ kind, codeHash, in: received }: TransactionRecord): string | null {
  const version = readerOf(kind, codeHash);
  const readers = received?.bounced ? version?.bounces : version?.receives;
  return readers?.find(({ opcode }) => opcode === received?.opcode)?.name ?? null;
}

/** The opcode of a message that the contract accepted and nobody here can read; null where there is none. */
export function unknownOpcode(record: TransactionRecord): number | null {
  const { kind, codeHash, in: received, out, success } = record;
  if (!success || received?.type !== 'internal' || received.bounced) return null;
  const { opcode } = received;
  if (opcode === null || opcode === COMMENT || messageName(record) !== null) return null;
  // A standard leaves open how some things are asked for (minting); what was sent then tells them.
  const version = readerOf(kind, codeHash);
  const byStandard = codeHash === null || contractOf(codeHash) !== version;
  const told = out.some((sent) => version?.sends?.some((known) => known.opcode === sent.opcode));
  return byStandard && told ? null : opcode;
}
