import { messageSchema } from '../message-schema.ts';
import { type Query, query } from '../query.ts';

/** Operator to campaign: everything to the destination, whatever its status. */
export const emergencyWithdraw = messageSchema<Query>(
  'emergency_withdraw query_id:uint64 = InternalMsgBody',
  query,
);
