import { messageSchema } from '../message-schema.ts';
import { type Query, query } from '../query.ts';

/** Anyone to a proposal that still waits for its voting data: ask the minter again. */
export const retryInit = messageSchema<Query>('retry_init query_id:uint64 = InternalMsgBody', query);
