import { type Address, beginCell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';
import { loadVestingTerms, storeVestingTerms, type VestingTerms } from './vesting-terms.ts';

/** Campaign to the vesting vault that it deploys; total in LP units. */
export interface InitVault {
  queryId: bigint;
  total: bigint;
  schedule: VestingTerms;
  lpMinter: Address;
}

export const initVault = messageSchema<InitVault>(
  'init_vault query_id:uint64 total:Coins schedule:^VestingTerms lp_minter:MsgAddress = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      total: slice.loadCoins(),
      schedule: loadVestingTerms(slice.loadRef().beginParse()),
      lpMinter: slice.loadAddress(),
    }),
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeCoins(message.total)
        .storeRef(beginCell().store(storeVestingTerms(message.schedule)).endCell())
        .storeAddress(message.lpMinter);
    },
  },
);
