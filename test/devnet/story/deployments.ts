import { type Address, beginCell, type Cell, contractAddress, type StateInit } from '@ton/core';
import { storeDaoStorage } from '../../../shared/contracts/dao/storage.ts';
import { storeMinterStorage } from '../../../shared/contracts/jetton/minter-storage.ts';
import { storeWalletStorage } from '../../../shared/contracts/jetton/wallet-storage.ts';
import { storeProposalStorage } from '../../../shared/contracts/proposal/storage.ts';
import type { ContractName } from '../compile.ts';
import { codeOf } from '../contracts/codes.ts';

/** A contract that is to be deployed: its first state and the address that follows from it. */
export interface Deployment {
  address: Address;
  init: StateInit & { code: Cell; data: Cell };
}

/** A GP minter before anything was minted. */
export function minterDeployment(admin: Address, content: Cell): Deployment {
  const storage = { totalSupply: 0n, admin, content, walletCode: codeOf('gp-wallet') };
  return deployment('gp-minter', beginCell().store(storeMinterStorage(storage)).endCell());
}

/** A DAO of version 6.0 before its first proposal. */
export function daoDeployment(
  owner: Address,
  jettonMinter: Address,
  successPercentage: number,
  name: string,
): Deployment {
  const storage = {
    owner,
    jettonMinter,
    successPercentage,
    nextProposalId: 1n,
    name,
    plugins: new Map(),
    proposalCode: codeOf('proposal'),
  };
  return deployment('dao-6.0', beginCell().store(storeDaoStorage(storage)).endCell());
}

/** Where the GP wallet of an owner is, and what deploys it. */
export function walletDeployment(owner: Address, minter: Address): Deployment {
  return deployment(
    'gp-wallet',
    beginCell()
      .store(storeWalletStorage({ balance: 0n, owner, minter }))
      .endCell(),
  );
}

/** Where a proposal is, and what deploys it. */
export function proposalDeployment(dao: Address, proposalId: bigint): Deployment {
  return deployment('proposal', beginCell().store(storeProposalStorage({ dao, proposalId })).endCell());
}

/** A devnet contract with that storage. */
export function deployment(name: ContractName, data: Cell): Deployment {
  const init = { code: codeOf(name), data };
  return { address: contractAddress(0, init), init };
}
