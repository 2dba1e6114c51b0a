import { messageSchema } from '../message-schema.ts';
import { type Query, query } from '../query.ts';

/** Anyone to campaign, after its end: decide whether it was successful. */
export const finalise = messageSchema<Query>('finalise query_id:uint64 = InternalMsgBody', query);
