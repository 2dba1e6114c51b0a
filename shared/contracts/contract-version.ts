import { Cell, type Slice } from '@ton/core';
import type { MessageHeader, TransactionRecord } from '../event-log/record.ts';
import { sliceOf } from './cell-slice.ts';
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
  deployed?: (data: Slice) => E;
  /** In-messages that it accepts. */
  receives: MessageReader<E>[];
  /** Messages of its own that may come back; the body holds 224 bits after the opcode. */
  bounces?: MessageReader<E>[];
  /** Out-messages that tell what its in-message alone does not. */
  sends?: MessageReader<E>[];
  /** Of a campaign: the body of a native contribution (nanoton). */
  contribution?: (contribution: { queryId: bigint; amount: bigint }) => Cell;
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

/**
 * What a transaction means by the version of the contract that ran. One that failed means nothing, nor
 * do coins that come without a body, nor a message that the version does not know: its record stays in
 * the log for a later one. Throws where a body is shorter than its opcode promises although the
 * contract accepted it.
 */
export function decodeTransaction(version: ContractVersion, record: TransactionRecord): ContractEvent[] {
  if (!record.success) return [];
  const { in: received, out, init } = record;
  const deployed = init && version.deployed ? [version.deployed(sliceOf(init.data))] : [];
  const readers = received?.bounced ? version.bounces : version.receives;
  return [
    ...deployed,
    ...(received ? eventsIn(received, readers) : []),
    ...out.flatMap((sent) => eventsIn(sent, version.sends)),
  ];
}

/** The root cell of a base64 BOC. */
export function cellOf(boc: string): Cell {
  return Cell.fromBoc(Buffer.from(boc, 'base64'))[0] as Cell;
}

function eventsIn(
  message: MessageHeader,
  readers: MessageReader<ContractEvent>[] | undefined,
): ContractEvent[] {
  const reader = readers?.find(({ opcode }) => opcode === message.opcode);
  if (!reader) return [];
  const event = reader.read(sliceOf(message.body).skip(message.bounced ? 64 : 32), message);
  return event ? [event] : [];
}
