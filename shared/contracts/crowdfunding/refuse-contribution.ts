import { messageSchema } from '../message-schema.ts';
import { type OwnedAmount, ownedAmount } from './owned-amount.ts';

/** Helper to campaign: the contribution goes back to its owner. */
export const refuseContribution = messageSchema<OwnedAmount>(
  'refuse_contribution query_id:uint64 amount:Coins owner:MsgAddress = InternalMsgBody',
  ownedAmount,
);
