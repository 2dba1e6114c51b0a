import { messageSchema } from '../message-schema.ts';
import { type OwnedAmount, ownedAmount } from './owned-amount.ts';

/** Helper to campaign: its owner gets back what was contributed. */
export const refund = messageSchema<OwnedAmount>(
  'refund query_id:uint64 amount:Coins owner:MsgAddress = InternalMsgBody',
  ownedAmount,
);
