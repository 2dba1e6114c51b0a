import { Cell } from '@ton/core';
import type { ChainTransaction } from '../shared/chain/transaction.ts';
import type { ContractKind } from '../shared/contracts/contract-kind.ts';
import { type DaoStorage, loadDaoStorage } from '../shared/contracts/dao/storage.ts';
import { executeProposal } from '../shared/contracts/governance/execute-proposal.ts';
import { initProposal } from '../shared/contracts/governance/init-proposal.ts';
import { type PluginInfo, pluginTypeName } from '../shared/contracts/governance/plugin-info.ts';
import { addPlugin } from '../shared/contracts/proposal-payload/add-plugin.ts';
import { contractOf } from '../shared/contracts/registry.ts';
import type { Candidate } from './candidate.ts';

/** What a transaction of a DAO brings: what it is deployed with, its proposals, an added plugin. */
export function foundByDao(transaction: ChainTransaction): Candidate[] {
  return [...namedAtDeployment(transaction), ...proposals(transaction), ...addedPlugin(transaction)];
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
    ...[...storage.plugins].map(([plugin, info]) => named(plugin.toRawString(), kindOf(info))),
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
    const { plugin, info } = addPlugin.load(slice);
    return [{ account: plugin.toRawString(), kind: kindOf(info), parent: account, init: null }];
  } catch {
    return [];
  }
}

/** The role of a plugin is what its DAO says, whatever its code. */
function kindOf({ type }: PluginInfo): ContractKind {
  const name = pluginTypeName(type);
  return name === 'unknown' ? 'plugin' : name;
}
