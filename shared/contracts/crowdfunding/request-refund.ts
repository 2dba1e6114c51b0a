import { messageSchema } from '../message-schema.ts';
import { type Query, query } from '../query.ts';

/** Owner to helper: the money back of a failed campaign. */
export const requestRefund = messageSchema<Query>('request_refund query_id:uint64 = InternalMsgBody', query);
