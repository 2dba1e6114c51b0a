import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

/** Crowdfunding plugin to LP manager: this campaign may have LP jettons issued. */
export interface RegisterCampaign {
  queryId: bigint;
  campaign: Address;
}

export const registerCampaign = messageSchema<RegisterCampaign>(
  'register_campaign query_id:uint64 campaign:MsgAddress = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      campaign: slice.loadAddress(),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64).storeAddress(message.campaign);
    },
  },
);
