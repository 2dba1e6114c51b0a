import type { Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** A proposal that was accepted to its DAO: do it. */
export interface ExecuteProposal {
  queryId: bigint;
  proposalId: bigint;
  payload: Cell;
}

export const executeProposal = messageSchema<ExecuteProposal>(
  'execute_proposal query_id:uint64 proposal_id:uint64 payload:^Cell = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      proposalId: slice.loadUintBig(64),
      payload: slice.loadRef(),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeUint(message.proposalId, 64).storeRef(message.payload);
    },
  },
);
