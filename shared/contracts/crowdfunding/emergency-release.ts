import { messageSchema } from '../message-schema.ts';

/** Campaign to vesting vault: everything is vested from now on. */
export interface EmergencyRelease {
  queryId: bigint;
}

export const emergencyRelease = messageSchema<EmergencyRelease>(
  'emergency_release query_id:uint64 = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64);
    },
  },
);
