import { messageSchema } from '../message-schema.ts';
import { type Query, query } from '../query.ts';

/** Anyone to a successful campaign: the fee to the fee manager, once. */
export const claimDaoFee = messageSchema<Query>('claim_dao_fee query_id:uint64 = InternalMsgBody', query);
