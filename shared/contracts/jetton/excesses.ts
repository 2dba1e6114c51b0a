import { messageSchema } from '../message-schema.ts';
import { type Query, query } from '../query.ts';

/** Coins that were left over return (TEP-74). */
export const excesses = messageSchema<Query>('excesses query_id:uint64 = InternalMsgBody', query, 'response');
