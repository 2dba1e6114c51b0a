import { type Address, type Builder, type Cell, Dictionary, type Slice } from '@ton/core';
import { loadPluginInfo, type PluginInfo, pluginInfoCell } from '../governance/plugin-info.ts';
import { loadSnakeText, snakeText } from '../snake-text.ts';

// dao#_ owner:MsgAddress jetton_minter:MsgAddress success_percentage:uint16 next_proposal_id:uint64
//   name:^Cell plugins:(HashmapE 267 ^PluginInfo) proposal_code:^Cell = DaoStorage;

export interface DaoStorage {
  owner: Address;
  jettonMinter: Address;
  /** Basis points. */
  successPercentage: number;
  nextProposalId: bigint;
  name: string;
  plugins: Map<Address, PluginInfo>;
  proposalCode: Cell;
}

const pluginValue = {
  parse: (slice: Slice) => loadPluginInfo(slice.loadRef().beginParse()),
  serialize: (info: PluginInfo, builder: Builder) => {
    builder.storeRef(pluginInfoCell(info));
  },
};

export function loadDaoStorage(slice: Slice): DaoStorage {
  return {
    owner: slice.loadAddress(),
    jettonMinter: slice.loadAddress(),
    successPercentage: slice.loadUint(16),
    nextProposalId: slice.loadUintBig(64),
    name: loadSnakeText(slice.loadRef().beginParse()),
    plugins: new Map(slice.loadDict(Dictionary.Keys.Address(), pluginValue)),
    proposalCode: slice.loadRef(),
  };
}

export function storeDaoStorage(storage: DaoStorage) {
  return (builder: Builder): void => {
    const plugins = Dictionary.empty(Dictionary.Keys.Address(), pluginValue);
    for (const [address, info] of storage.plugins) plugins.set(address, info);
    builder
      .storeAddress(storage.owner)
      .storeAddress(storage.jettonMinter)
      .storeUint(storage.successPercentage, 16)
      .storeUint(storage.nextProposalId, 64)
      .storeRef(snakeText(storage.name))
      .storeDict(plugins)
      .storeRef(storage.proposalCode);
  };
}
