import { messageSchema } from '../message-schema.ts';
import { type Query, query } from '../query.ts';

/** Owner to vesting vault: what is vested and was not claimed. */
export const claimVested = messageSchema<Query>('claim_vested query_id:uint64 = InternalMsgBody', query);
