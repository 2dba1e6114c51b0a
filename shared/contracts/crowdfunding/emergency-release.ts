import { messageSchema } from '../message-schema.ts';
import { type Query, query } from '../query.ts';

/** Campaign to vesting vault: everything is vested from now on. */
export const emergencyRelease = messageSchema<Query>(
  'emergency_release query_id:uint64 = InternalMsgBody',
  query,
);
