import type { Address, Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Opens a campaign through a crowdfunding plugin (DAO 6.1). */
export interface StartCrowdfunding {
  plugin: Address;
  params: Cell;
}

export const startCrowdfunding = messageSchema<StartCrowdfunding>(
  'start_crowdfunding plugin:MsgAddress params:^Cell = ProposalPayload',
  {
    load: (slice) => ({ plugin: slice.loadAddress(), params: slice.loadRef() }),
    store: (payload, builder) => {
      builder.storeAddress(payload.plugin).storeRef(payload.params);
    },
  },
);
