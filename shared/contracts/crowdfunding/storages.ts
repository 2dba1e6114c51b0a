import { type Address, type Builder, beginCell, type Cell, type Slice } from '@ton/core';
import { loadSnakeText, snakeText } from '../snake-text.ts';

// The storages that the contracts of crowdfunding are deployed with, which make their addresses.

// crowdfunding#_ dao:MsgAddress next_campaign_id:uint64 campaign_code:^Cell helper_code:^Cell
//   vault_code:^Cell = CrowdfundingStorage;

export interface CrowdfundingStorage {
  dao: Address;
  nextCampaignId: bigint;
  campaignCode: Cell;
  helperCode: Cell;
  vaultCode: Cell;
}

export function loadCrowdfundingStorage(slice: Slice): CrowdfundingStorage {
  return {
    dao: slice.loadAddress(),
    nextCampaignId: slice.loadUintBig(64),
    campaignCode: slice.loadRef(),
    helperCode: slice.loadRef(),
    vaultCode: slice.loadRef(),
  };
}

export function storeCrowdfundingStorage(storage: CrowdfundingStorage) {
  return (builder: Builder): void => {
    builder
      .storeAddress(storage.dao)
      .storeUint(storage.nextCampaignId, 64)
      .storeRef(storage.campaignCode)
      .storeRef(storage.helperCode)
      .storeRef(storage.vaultCode);
  };
}

// lp_manager#_ dao:MsgAddress index:uint32 crowdfunding:MsgAddress minter_code:^Cell
//   wallet_code:^Cell body:(Maybe ^LpManagerBody) = LpManagerStorage;

export interface LpManagerStorage {
  dao: Address;
  index: number;
  crowdfunding: Address;
  minterCode: Cell;
  walletCode: Cell;
}

export function loadLpManagerStorage(slice: Slice): LpManagerStorage {
  return {
    dao: slice.loadAddress(),
    index: slice.loadUint(32),
    crowdfunding: slice.loadAddress(),
    minterCode: slice.loadRef(),
    walletCode: slice.loadRef(),
  };
}

export function storeLpManagerStorage(storage: LpManagerStorage) {
  return (builder: Builder): void => {
    builder
      .storeAddress(storage.dao)
      .storeUint(storage.index, 32)
      .storeAddress(storage.crowdfunding)
      .storeRef(storage.minterCode)
      .storeRef(storage.walletCode)
      .storeMaybeRef(null);
  };
}

// campaign#_ crowdfunding:MsgAddress campaign_id:uint64 body:(Maybe ^CampaignBody)
//   = CampaignStorage;

export interface CampaignStorage {
  crowdfunding: Address;
  campaignId: bigint;
}

export function loadCampaignStorage(slice: Slice): CampaignStorage {
  return { crowdfunding: slice.loadAddress(), campaignId: slice.loadUintBig(64) };
}

export function storeCampaignStorage(storage: CampaignStorage) {
  return (builder: Builder): void => {
    builder.storeAddress(storage.crowdfunding).storeUint(storage.campaignId, 64).storeMaybeRef(null);
  };
}

// helper#_ campaign:MsgAddress owner:MsgAddress body:(Maybe ^HelperBody) = HelperStorage;
// vault#_ campaign:MsgAddress owner:MsgAddress body:(Maybe ^VaultBody) = VaultStorage;

/** Of a helper as of a vesting vault: one per campaign and wallet. */
export interface ShareStorage {
  campaign: Address;
  owner: Address;
}

export function loadShareStorage(slice: Slice): ShareStorage {
  return { campaign: slice.loadAddress(), owner: slice.loadAddress() };
}

export function storeShareStorage(storage: ShareStorage) {
  return (builder: Builder): void => {
    builder.storeAddress(storage.campaign).storeAddress(storage.owner).storeMaybeRef(null);
  };
}

// fee_manager#_ dao:MsgAddress = FeeManagerStorage;

export function storeFeeManagerStorage(storage: { dao: Address }) {
  return (builder: Builder): void => {
    builder.storeAddress(storage.dao);
  };
}

// subaccount#_ dao:MsgAddress index:uint32 name:^Cell = SubaccountStorage;

export interface SubaccountStorage {
  dao: Address;
  index: number;
  name: string;
}

export function loadSubaccountStorage(slice: Slice): SubaccountStorage {
  return {
    dao: slice.loadAddress(),
    index: slice.loadUint(32),
    name: loadSnakeText(slice.loadRef().beginParse()),
  };
}

export function storeSubaccountStorage(storage: SubaccountStorage) {
  return (builder: Builder): void => {
    builder.storeAddress(storage.dao).storeUint(storage.index, 32).storeRef(snakeText(storage.name));
  };
}

/** The cell of a storage, for a StateInit. */
export function storageCell(store: (builder: Builder) => void): Cell {
  return beginCell().store(store).endCell();
}
