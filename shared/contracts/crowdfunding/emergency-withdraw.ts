import { messageSchema } from '../message-schema.ts';

/** Operator to campaign: everything to the destination, whatever its status. */
export interface EmergencyWithdraw {
  queryId: bigint;
}

export const emergencyWithdraw = messageSchema<EmergencyWithdraw>(
  'emergency_withdraw query_id:uint64 = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
    }),
    store: (message, builder) => {
      builder.storeUint(message.queryId, 64);
    },
  },
);
