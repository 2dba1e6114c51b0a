import { messageSchema } from '../message-schema.ts';

/** The share of the supply that accepts a proposal, in basis points. */
export interface SetSuccessPercentage {
  successPercentage: number;
}

export const setSuccessPercentage = messageSchema<SetSuccessPercentage>(
  'set_success_percentage success_percentage:uint16 = ProposalPayload',
  {
    load: (slice) => ({ successPercentage: slice.loadUint(16) }),
    store: (payload, builder) => {
      builder.storeUint(payload.successPercentage, 16);
    },
  },
);
