import { type Address, beginCell, type Cell } from '@ton/core';
import { messageSchema } from '../message-schema.ts';
import { type CampaignParams, loadCampaignParams, storeCampaignParams } from './campaign-params.ts';

// campaign_codes#_ helper_code:^Cell vault_code:^Cell = CampaignCodes;

/** Crowdfunding plugin to the campaign that it deploys. */
export interface InitCampaign {
  queryId: bigint;
  dao: Address;
  params: CampaignParams;
  helperCode: Cell;
  vaultCode: Cell;
}

export const initCampaign = messageSchema<InitCampaign>(
  'init_campaign query_id:uint64 dao:MsgAddress params:^CampaignParams codes:^CampaignCodes = InternalMsgBody',
  {
    load: (slice) => {
      const [queryId, dao] = [slice.loadUintBig(64), slice.loadAddress()];
      const params = loadCampaignParams(slice.loadRef().beginParse());
      const codes = slice.loadRef().beginParse();
      return { queryId, dao, params, helperCode: codes.loadRef(), vaultCode: codes.loadRef() };
    },
    store: (message, builder) => {
      builder
        .storeUint(message.queryId, 64)
        .storeAddress(message.dao)
        .storeRef(beginCell().store(storeCampaignParams(message.params)).endCell())
        .storeRef(beginCell().storeRef(message.helperCode).storeRef(message.vaultCode).endCell());
    },
  },
);
