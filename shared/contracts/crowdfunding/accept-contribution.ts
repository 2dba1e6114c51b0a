import { messageSchema } from '../message-schema.ts';
import { type OwnedAmount, ownedAmount } from './owned-amount.ts';

/** Helper to campaign: the contribution counts from here on. */
export const acceptContribution = messageSchema<OwnedAmount>(
  'accept_contribution query_id:uint64 amount:Coins owner:MsgAddress = InternalMsgBody',
  ownedAmount,
);
