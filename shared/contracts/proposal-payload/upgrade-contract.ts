import type { Address, Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** New code for the DAO itself (target = the DAO) or for a contract that obeys it. */
export interface UpgradeContract {
  target: Address;
  code: Cell;
}

export const upgradeContract = messageSchema<UpgradeContract>(
  'upgrade_contract target:MsgAddress code:^Cell = ProposalPayload',
  {
    load: (slice) => ({ target: slice.loadAddress(), code: slice.loadRef() }),
    store: (payload, builder) => {
      builder.storeAddress(payload.target).storeRef(payload.code);
    },
  },
);
