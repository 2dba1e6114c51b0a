import { type Builder, beginCell, type Cell, type Slice } from '@ton/core';
import { loadSnakeText, snakeText } from '../snake-text.ts';

// plugin_info#_ type:uint8 index:(Maybe uint32) name:(Maybe ^Cell)
//   crowdfunding_master_hash:(Maybe uint256) = PluginInfo;

/** What a DAO keeps of a plugin. */
export interface PluginInfo {
  type: number;
  /** LP manager index or subaccount index. */
  index: number | null;
  name: string | null;
  crowdfundingMasterHash: bigint | null;
}

const pluginTypes = ['unknown', 'lp_manager', 'crowdfunding', 'subaccount'] as const;

export type PluginType = (typeof pluginTypes)[number];

/** The name of a plugin type; `unknown` for a number that this version does not know. */
export function pluginTypeName(type: number): PluginType {
  return pluginTypes[type] ?? 'unknown';
}

/** The number of a plugin type. */
export function pluginTypeNumber(type: PluginType): number {
  return pluginTypes.indexOf(type);
}

export function loadPluginInfo(slice: Slice): PluginInfo {
  return {
    type: slice.loadUint(8),
    index: slice.loadMaybeUint(32),
    name: loadMaybeText(slice.loadMaybeRef()),
    crowdfundingMasterHash: slice.loadMaybeUintBig(256),
  };
}

export function storePluginInfo(info: PluginInfo) {
  return (builder: Builder): void => {
    builder
      .storeUint(info.type, 8)
      .storeMaybeUint(info.index, 32)
      .storeMaybeRef(info.name === null ? null : snakeText(info.name))
      .storeMaybeUint(info.crowdfundingMasterHash, 256);
  };
}

export function pluginInfoCell(info: PluginInfo): Cell {
  return beginCell().store(storePluginInfo(info)).endCell();
}

function loadMaybeText(cell: Cell | null): string | null {
  return cell && loadSnakeText(cell.beginParse());
}
