import {
  Address,
  beginCell,
  Cell,
  Dictionary,
  loadMessage,
  type Message,
  storeMessage,
  storeTransaction,
  type Transaction,
} from '@ton/core';
import { base64Boc } from '../../shared/chain/boc.ts';
import type { LogRecord, MessageHeader, TransactionRecord } from '../../shared/event-log/record.ts';
import { codeOf } from '../devnet/contracts/codes.ts';

/** The record with a raw transaction as its header tells it, with all the phases of one that succeeded. */
export function withRawTransaction(record: LogRecord): LogRecord {
  if (record.type !== 'transaction') return record;
  const cell = beginCell()
    .store(storeTransaction(transactionOf(record) as Transaction))
    .endCell();
  return { ...record, boc: base64Boc(cell) };
}

function transactionOf(record: TransactionRecord): Omit<Transaction, 'raw' | 'hash'> {
  const hash = BigInt(`0x${record.hash}`);
  const bytes = Buffer.from(record.hash, 'hex');
  const outMessages = Dictionary.empty(Dictionary.Keys.Uint(15), {
    serialize: (message: Message, builder) => builder.storeRef(beginCell().store(storeMessage(message))),
    parse: (slice) => loadMessage(slice.loadRef().beginParse()),
  });
  for (const [index, header] of record.out.entries()) outMessages.set(index, messageOf(header));
  return {
    address: BigInt(`0x${Address.parse(record.account).hash.toString('hex')}`),
    lt: BigInt(record.lt),
    prevTransactionHash: BigInt(`0x${record.prevHash}`),
    prevTransactionLt: BigInt(record.prevLt),
    now: record.now,
    outMessagesCount: record.out.length,
    oldStatus: 'active',
    endStatus: 'active',
    inMessage: record.in && messageOf(record.in),
    outMessages,
    totalFees: { coins: 2_000_000n },
    stateUpdate: { oldHash: bytes, newHash: bytes },
    description: {
      type: 'generic',
      creditFirst: false,
      storagePhase: { storageFeesCollected: 1000n, statusChange: 'unchanged' },
      creditPhase: { credit: { coins: 1_000_000_000n } },
      computePhase: {
        type: 'vm',
        success: true,
        messageStateUsed: false,
        accountActivated: false,
        gasFees: 1_500_000n,
        gasUsed: 3750n,
        gasLimit: 1_000_000n,
        mode: 0,
        exitCode: 0,
        vmSteps: 90,
        vmInitStateHash: hash,
        vmFinalStateHash: hash,
      },
      actionPhase: {
        success: true,
        valid: true,
        noFunds: false,
        statusChange: 'unchanged',
        totalFwdFees: 400_000n,
        totalActionFees: 133_000n,
        resultCode: 0,
        totalActions: record.out.length,
        specActions: 0,
        skippedActions: 0,
        messagesCreated: record.out.length,
        actionListHash: hash,
        totalMessageSize: { cells: 1n, bits: 700n },
      },
      aborted: false,
      destroyed: false,
    },
  };
}

const HELPER = codeOf('helper');

function messageOf({ source, destination, value, bounced, body, lt, init }: MessageHeader): Message {
  return {
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced,
      src: Address.parse(source ?? ''),
      dest: Address.parse(destination ?? ''),
      value: { coins: BigInt(value) },
      ihrFee: 0n,
      forwardFee: 400_000n,
      createdLt: BigInt(lt),
      createdAt: 1_700_000_000,
    },
    init: init && { code: HELPER, data: Cell.fromBase64(init.data) },
    body: Cell.fromBase64(body),
  };
}
