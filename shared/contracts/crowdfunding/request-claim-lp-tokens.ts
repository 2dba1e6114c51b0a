import { messageSchema } from '../message-schema.ts';
import { type Query, query } from '../query.ts';

/** Owner to helper: the LP jettons of a successful campaign. */
export const requestClaimLpTokens = messageSchema<Query>(
  'request_claim_lp_tokens query_id:uint64 = InternalMsgBody',
  query,
);
