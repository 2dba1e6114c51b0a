import { Cell } from '@ton/core';
import type { ChainTransaction } from '../shared/chain/transaction.ts';
import type { ContractKind } from '../shared/contracts/contract-kind.ts';
import { type DaoStorage, loadDaoStorage } from '../shared/contracts/dao/storage.ts';
import { executeProposal } from '../shared/contracts/governance/execute-proposal.ts';
import { initProposal } from '../shared/contracts/governance/init-proposal.ts';
import { jettonInternalTransfer } from '../shared/contracts/jetton/internal-transfer.ts';
import { addPlugin } from '../shared/contracts/proposal-payload/add-plugin.ts';
import { contractOf } from '../shared/contracts/registry.ts';
import type { DeployedState } from '../shared/event-log/record.ts';

/** An account that a tracked one gives evidence of. */
export interface Candidate {
  account: string;
  kind: ContractKind;
  /** The tracked account whose chain or storage is the evidence. */
  parent: string;
  /** The state that the evidence deploys it with. */
  init: DeployedState | null;
}

/**
 * The accounts that a transaction of a tracked account of this kind brings under tracking. Only what
 * the account itself sent counts, and what it accepted from whom it obeys: never a stranger's message.
 */
export function discoverIn(kind: ContractKind, transaction: ChainTransaction): Candidate[] {
  if (!transaction.success) return [];
  switch (kind) {
    case 'dao':
      return [...namedAtDeployment(transaction), ...proposals(transaction), ...addedPlugin(transaction)];
    case 'gp_minter':
    case 'gp_wallet':
      return wallets(transaction);
    default:
      return [];
  }
}

/** The accounts that a DAO's storage names. */
export function namedInStorage(dao: string, storage: DaoStorage): Candidate[] {
  const named = (account: string, kind: ContractKind): Candidate => ({
    account,
    kind,
    parent: dao,
    init: null,
  });
  return [
    named(storage.jettonMinter.toRawString(), 'gp_minter'),
    ...[...storage.plugins.keys()].map((plugin) => named(plugin.toRawString(), 'plugin')),
  ];
}

/** The storage of a DAO; null where the code is known to be something else or it does not fit. */
export function daoStorageOf(codeHash: string | null, data: string | null): DaoStorage | null {
  if (codeHash === null || data === null) return null;
  if ((contractOf(codeHash)?.kind ?? 'dao') !== 'dao') return null;
  try {
    const slice = Cell.fromBase64(data).beginParse();
    const storage = loadDaoStorage(slice);
    slice.endParse();
    return storage;
  } catch {
    return null;
  }
}

function namedAtDeployment({ account, init }: ChainTransaction): Candidate[] {
  const storage = init && daoStorageOf(init.codeHash, init.data);
  return storage ? namedInStorage(account, storage) : [];
}

function proposals({ account, out }: ChainTransaction): Candidate[] {
  return out.flatMap(({ opcode, destination, init }) =>
    opcode === initProposal.opcode && destination !== null && init
      ? [{ account: destination, kind: 'proposal', parent: account, init }]
      : [],
  );
}

function addedPlugin({ account, in: message }: ChainTransaction): Candidate[] {
  if (!message || message.bounced || message.opcode !== executeProposal.opcode) return [];
  try {
    const { payload } = executeProposal.load(Cell.fromBase64(message.body).beginParse().skip(32));
    const slice = payload.beginParse();
    if (slice.remainingBits < 32 || slice.loadUint(32) !== addPlugin.opcode) return [];
    const plugin = addPlugin.load(slice).plugin.toRawString();
    return [{ account: plugin, kind: 'plugin', parent: account, init: null }];
  } catch {
    return [];
  }
}

function wallets({ account, out }: ChainTransaction): Candidate[] {
  return out.flatMap(({ opcode, destination, init }) =>
    opcode === jettonInternalTransfer.opcode && destination !== null
      ? [{ account: destination, kind: 'gp_wallet', parent: account, init }]
      : [],
  );
}
