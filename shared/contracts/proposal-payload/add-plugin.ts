import type { Address } from '@ton/core';
import { loadPluginInfo, type PluginInfo, pluginInfoCell } from '../governance/plugin-info.ts';
import { messageSchema } from '../message-schema.ts';

/** Installs a plugin, or replaces what is kept of one. */
export interface AddPlugin {
  plugin: Address;
  info: PluginInfo;
}

export const addPlugin = messageSchema<AddPlugin>(
  'add_plugin plugin:MsgAddress info:^PluginInfo = ProposalPayload',
  {
    load: (slice) => ({ plugin: slice.loadAddress(), info: loadPluginInfo(slice.loadRef().beginParse()) }),
    store: (payload, builder) => {
      builder.storeAddress(payload.plugin).storeRef(pluginInfoCell(payload.info));
    },
  },
);
