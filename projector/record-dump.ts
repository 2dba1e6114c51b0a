import { cellOf } from '../shared/contracts/contract-version.ts';
import { messageName } from '../shared/contracts/decode-record.ts';
import type { LogRecord, MessageHeader, TransactionRecord } from '../shared/event-log/record.ts';
import { isoTime } from '../shared/iso-time.ts';

/** What a person looks at is not a megabyte of cells; the record itself stays in the log. */
const MOST_LINES = 100;

/** A record in lines for people: its facts, and the cells that a fold reads as nested hex. */
export function dumpRecord(record: LogRecord): string {
  const lines = record.type === 'transaction' ? transactionLines(record) : factLines(record);
  if (lines.length <= MOST_LINES) return lines.join('\n');
  return [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} more lines`].join('\n');
}

function transactionLines(record: TransactionRecord): string[] {
  const { in: received, out, init, block } = record;
  return [
    `transaction ${record.hash}`,
    `account     ${record.account} (${record.kind}, code ${record.codeHash ?? 'none'})`,
    `lt          ${record.lt} after ${record.prevLt} ${record.prevHash}`,
    `block       ${block.workchain}:${block.shard}:${block.seqno}`,
    `time        ${isoTime(record.now)}`,
    `success     ${record.success ? 'yes' : 'no'}`,
    ...(init ? [`deployed    with code ${init.codeHash} and storage`, ...cellLines(init.data)] : []),
    ...(received ? messageLines('in ', received, messageName(record)) : []),
    ...out.flatMap((sent) => messageLines('out', sent, null)),
  ];
}

function messageLines(way: string, message: MessageHeader, name: string | null): string[] {
  const { type, source, destination, value, bounced, opcode, lt, body } = message;
  const called = opcode === null ? 'no opcode' : `0x${opcode.toString(16).padStart(8, '0')}`;
  return [
    `${way}         ${bounced ? 'bounced ' : ''}${called}${name === null ? '' : ` ${name}`} (${type}), ${value} nanoton, lt ${lt}`,
    `            ${source ?? 'outside'} -> ${destination ?? 'outside'}`,
    ...cellLines(body),
  ];
}

function factLines(record: Exclude<LogRecord, TransactionRecord>): string[] {
  const data = record.type === 'account' ? record.data : null;
  const facts = JSON.stringify(record, (key, value: unknown) => (key === 'data' ? undefined : value), 2);
  return [...facts.split('\n'), ...(data === null ? [] : ['storage', ...cellLines(data)])];
}

/** What cannot be read is shown as it is: it may be why the record was parked. */
function cellLines(boc: string): string[] {
  try {
    return cellOf(boc).toString('            ').split('\n');
  } catch {
    return [`            no cell: ${boc}`];
  }
}
