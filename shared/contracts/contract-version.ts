import { Cell, type Slice } from '@ton/core';
import type { MessageHeader, TransactionRecord } from '../event-log/record.ts';
import type { ContractKind } from './contract-kind.ts';
import type { MessageSchema } from './message-schema.ts';

/**
 * The decoded meaning of (a part of) a transaction: plain JSON, amounts as decimal strings,
 * addresses raw. Versions of a contract whose messages differ tell the same events, so that folds
 * know events alone.
 */
export interface ContractEvent {
  type: string;
}

/** How a message of one opcode is read; null where it means nothing to a read model. */
export interface MessageReader<E extends ContractEvent> {
  opcode: number;
  name: string;
  read(slice: Slice, header: MessageHeader): E | null;
}

/** One version of one contract: what its storage at deployment and its messages mean. */
export interface ContractVersion<E extends ContractEvent = ContractEvent> {
  kind: ContractKind;
  version: string;
  /** Reads the storage that the contract is deployed with. */
  deployed?: (data: Cell) => E;
  /** In-messages that it accepts. */
  receives: MessageReader<E>[];
  /** Messages of its own that may come back; the body holds 224 bits after the opcode. */
  bounces?: MessageReader<E>[];
  /** Out-messages that tell what its in-message alone does not. */
  sends?: MessageReader<E>[];
}

/** Reads a message by its schema and turns it into an event. */
export function on<T, E extends ContractEvent>(
  schema: MessageSchema<T>,
  toEvent: (message: T, header: MessageHeader) => E | null = () => null,
): MessageReader<E> {
  return {
    opcode: schema.opcode,
    name: schema.name,
    read: (slice, header) => toEvent(schema.load(slice), header),
  };
}

/** Reads the first fields of a message that came back. */
export function onBounced<T, E extends ContractEvent>(
  schema: MessageSchema<T>,
  read: (slice: Slice) => E | null,
): MessageReader<E> {
  return { opcode: schema.opcode, name: schema.name, read };
}

/** What a transaction means: its events, or why it cannot be told. */
export interface DecodedTransaction {
  events: ContractEvent[];
  /** The opcode of the in-message, where this version does not know it. */
  unknownOpcode: number | null;
}

/**
 * Decodes a transaction by the version of the contract that ran. One that failed means nothing; nor
 * do coins that come with a comment (opcode 0) or without a body. Throws where a body is shorter
 * than its opcode promises although the contract accepted it.
 */
export function decodeTransaction(version: ContractVersion, record: TransactionRecord): DecodedTransaction {
  const events: ContractEvent[] = [];
  if (!record.success) return { events, unknownOpcode: null };
  if (record.init && version.deployed) events.push(version.deployed(cellOf(record.init.data)));
  const unknownOpcode = record.in ? readIncoming(version, record.in, events) : null;
  for (const out of record.out) readMessage(version.sends, out, events);
  return { events, unknownOpcode };
}

/** The root cell of a base64 BOC. */
export function cellOf(boc: string): Cell {
  return Cell.fromBoc(Buffer.from(boc, 'base64'))[0] as Cell;
}

function readIncoming(version: ContractVersion, message: MessageHeader, events: ContractEvent[]) {
  if (message.opcode === null || message.opcode === 0) return null;
  const readers = message.bounced ? version.bounces : version.receives;
  const known = readMessage(readers, message, events);
  return known || message.bounced ? null : message.opcode;
}

function readMessage(
  readers: MessageReader<ContractEvent>[] | undefined,
  message: MessageHeader,
  events: ContractEvent[],
): boolean {
  const reader = readers?.find(({ opcode }) => opcode === message.opcode);
  if (!reader) return false;
  const event = reader.read(
    cellOf(message.body)
      .beginParse()
      .skip(message.bounced ? 64 : 32),
    message,
  );
  if (event) events.push(event);
  return true;
}
