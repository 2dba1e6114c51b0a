import { messageSchema } from '../message-schema.ts';

/** Owner to helper: the LP jettons of a successful campaign. */
export interface RequestClaimLpTokens {
  queryId: bigint;
}

export const requestClaimLpTokens = messageSchema<RequestClaimLpTokens>(
  'request_claim_lp_tokens query_id:uint64 = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64);
    },
  },
);
