import {
  type AccountStatus,
  Cell,
  contractAddress,
  type Message,
  type StateInit,
  type Transaction,
  type TransactionDescription,
} from '@ton/core';
import type { DeployedState, MessageHeader, TransactionRecord } from '../event-log/record.ts';
import { base64Boc } from './boc.ts';
import type { BlockId } from './chain-client.ts';

/** What the chain alone tells of a transaction: a record without its role in a DAO. */
export interface ChainTransaction
  extends Omit<TransactionRecord, 'version' | 'type' | 'dao' | 'kind' | 'codeHash'> {
  /** The compute phase ran code, whether it succeeded or not. */
  ranCode: boolean;
  /** The account still has code after this transaction. */
  keepsCode: boolean;
}

/** Reads the header of a transaction of `account` (raw address) that `block` holds. */
export function chainTransaction(account: string, block: BlockId, source: Transaction): ChainTransaction {
  const { inMessage, oldStatus, endStatus, description } = source;
  const activated = oldStatus !== 'active' && endStatus === 'active';
  return {
    account,
    lt: source.lt.toString(),
    hash: source.hash().toString('hex'),
    prevLt: source.prevTransactionLt.toString(),
    prevHash: hex256(source.prevTransactionHash),
    block,
    now: source.now,
    success: succeeded(description),
    init: activated && inMessage?.init ? deployedState(inMessage.init) : null,
    in: inMessage ? messageHeader(inMessage) : null,
    out: source.outMessages.values().map(messageHeader),
    boc: base64Boc(source.raw),
    ranCode: 'computePhase' in description && description.computePhase.type === 'vm',
    keepsCode: keepsCode(endStatus),
  };
}

/** The address of the account, without its workchain, that a transaction says it is of. */
export function accountHashOf(source: Transaction): string {
  return hex256(source.address);
}

/** Whether code ran to its end and its actions were carried out. */
export function succeeded(description: TransactionDescription): boolean {
  // A storage or merge-prepare transaction runs no code; a split-install only takes a state over.
  if (!('computePhase' in description) || description.aborted) return false;
  const { computePhase, actionPhase } = description;
  if (computePhase.type !== 'vm' || !computePhase.success) return false;
  if (computePhase.exitCode !== 0 && computePhase.exitCode !== 1) return false;
  return !actionPhase || actionPhase.success;
}

function messageHeader({ info, init, body }: Message): MessageHeader {
  const bounced = info.type === 'internal' && info.bounced;
  return {
    type: info.type,
    source: info.type === 'external-in' ? null : info.src.toRawString(),
    destination: info.type === 'external-out' ? null : info.dest.toRawString(),
    value: info.type === 'internal' ? info.value.coins.toString() : '0',
    bounced,
    opcode: opcodeOf(body, bounced),
    body: base64Boc(body),
    // An external message from outside the chain has no logical time of its own.
    lt: info.type === 'external-in' ? '0' : info.createdLt.toString(),
    init: init && info.type === 'internal' && deploys(info.dest, init) ? deployedState(init) : null,
  };
}

function opcodeOf(body: Cell, bounced: boolean): number | null {
  if (body.isExotic) return null;
  const slice = body.beginParse();
  if (bounced) slice.skip(Math.min(32, slice.remainingBits));
  return slice.remainingBits >= 32 ? slice.loadUint(32) : null;
}

/** The chain ignores a StateInit that does not hash to the address. */
function deploys(
  destination: { workChain: number; equals(other: ReturnType<typeof contractAddress>): boolean },
  init: StateInit,
): boolean {
  return destination.equals(contractAddress(destination.workChain, init));
}

function deployedState({ code, data }: StateInit): DeployedState | null {
  return code ? { codeHash: code.hash().toString('hex'), data: base64Boc(data ?? Cell.EMPTY) } : null;
}

function keepsCode(status: AccountStatus): boolean {
  return status === 'active' || status === 'frozen';
}

function hex256(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
