import { Cell } from '@ton/core';
import type { ChainTransaction } from '../shared/chain/transaction.ts';
import type { ContractKind } from '../shared/contracts/contract-kind.ts';
import { executeProposal } from '../shared/contracts/governance/execute-proposal.ts';
import { upgrade } from '../shared/contracts/governance/upgrade.ts';
import { upgradeContract } from '../shared/contracts/proposal-payload/upgrade-contract.ts';

/** What an account's code is as its own chain tells it, step by step. */
export interface CodeStep {
  /** Hash of the code that ran. */
  ran: string | null;
  /** Hash of the code that the next transaction will run. */
  next: string | null;
}

/**
 * One transaction further. `current` is the code before it; `stateHash` stands in where code ran
 * although nothing on the chain told which (an account of the zero state).
 */
export function codeStep(
  kind: ContractKind,
  transaction: ChainTransaction,
  current: string | null,
  stateHash: string | null,
): CodeStep {
  const ran = transaction.init?.codeHash ?? current ?? (transaction.ranCode ? stateHash : null);
  if (!transaction.keepsCode) return { ran, next: null };
  return { ran, next: newCodeOf(kind, transaction) ?? ran };
}

/** The hash of the code that a successful transaction set, null where it set none. */
export function newCodeOf(kind: ContractKind, { success, in: message, account }: ChainTransaction) {
  if (!success || !message || message.bounced) return null;
  try {
    if (message.opcode === upgrade.opcode) return hashOf(upgrade.load(afterOpcode(message.body)).code);
    if (kind !== 'dao' || message.opcode !== executeProposal.opcode) return null;
    const payload = executeProposal.load(afterOpcode(message.body)).payload.beginParse();
    if (payload.remainingBits < 32 || payload.loadUint(32) !== upgradeContract.opcode) return null;
    const { target, code } = upgradeContract.load(payload);
    return target.toRawString() === account ? hashOf(code) : null;
  } catch {
    // A body that only looks like an upgrade; were it one, the account's state would tell.
    return null;
  }
}

function afterOpcode(body: string) {
  return Cell.fromBase64(body).beginParse().skip(32);
}

function hashOf(code: Cell): string {
  return code.hash().toString('hex');
}
