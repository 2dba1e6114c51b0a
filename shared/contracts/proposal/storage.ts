import type { Address, Builder, Slice } from '@ton/core';

// proposal#_ dao:MsgAddress proposal_id:uint64 body:(Maybe ^ProposalBody) = ProposalStorage;
// `body` is absent at deployment: the address is computed from the first two fields alone.

export interface ProposalStorage {
  dao: Address;
  proposalId: bigint;
}

export function loadProposalStorage(slice: Slice): ProposalStorage {
  return { dao: slice.loadAddress(), proposalId: slice.loadUintBig(64) };
}

/** The storage that a proposal is deployed with. */
export function storeProposalStorage(storage: ProposalStorage) {
  return (builder: Builder): void => {
    builder.storeAddress(storage.dao).storeUint(storage.proposalId, 64).storeMaybeRef(null);
  };
}
