import type { Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** GP minter's answer to provide_voting_data: the snapshot that a proposal is decided by. */
export interface TakeVotingData {
  queryId: bigint;
  totalSupply: bigint;
  walletCode: Cell;
}

export const takeVotingData = messageSchema<TakeVotingData>(
  'take_voting_data query_id:uint64 total_supply:Coins wallet_code:^Cell = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      totalSupply: slice.loadCoins(),
      walletCode: slice.loadRef(),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeCoins(message.totalSupply).storeRef(message.walletCode);
    },
  },
  'response',
);
