import { messageSchema } from '../message-schema.ts';
import { type OwnedAmount, ownedAmount } from './owned-amount.ts';

/** Helper to campaign: LP jettons for what its owner contributed. */
export const claimLp = messageSchema<OwnedAmount>(
  'claim_lp query_id:uint64 amount:Coins owner:MsgAddress = InternalMsgBody',
  ownedAmount,
);
