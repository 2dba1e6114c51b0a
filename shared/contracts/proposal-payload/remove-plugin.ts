import type { Address } from '@ton/core';
import { messageSchema } from '../message-schema.ts';

export interface RemovePlugin {
  plugin: Address;
}

export const removePlugin = messageSchema<RemovePlugin>('remove_plugin plugin:MsgAddress = ProposalPayload', {
  load: (slice) => ({ plugin: slice.loadAddress() }),
  store: (payload, builder) => {
    builder.storeAddress(payload.plugin);
  },
});
