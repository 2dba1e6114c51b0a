import { type Address, type Builder, beginCell, type Slice } from '@ton/core';
import { loadSnakeText, snakeText } from '../snake-text.ts';
import { loadVestingTerms, storeVestingTerms, type VestingTerms } from './vesting-terms.ts';

// campaign_params#_ operator:MsgAddress lp_manager:MsgAddress currency:MsgAddress
//   terms:^CampaignTerms places:^CampaignPlaces about:^CampaignAbout
//   vesting:(Maybe ^VestingTerms) = CampaignParams;
// campaign_terms#_ min_total:Coins max_total:Coins min_per_user:Coins max_per_user:Coins
//   lp_price:Coins start_time:uint32 end_time:uint32 management_fee:uint16 has_whitelist:Bool
//   = CampaignTerms;
// campaign_places#_ lp_minter:MsgAddress destination:MsgAddress fee_manager:MsgAddress
//   = CampaignPlaces;
// campaign_about#_ name:^Cell description:^Cell = CampaignAbout;

/** What a campaign is started with, and keeps for good. Amounts in units of its currency. */
export interface CampaignParams {
  operator: Address;
  lpManager: Address;
  /** The minter of the collection currency; null for the native one. */
  currency: Address | null;
  minTotal: bigint;
  /** 0: none. */
  maxTotal: bigint;
  minPerUser: bigint;
  /** 0: none. */
  maxPerUser: bigint;
  /** For one whole LP jetton (10^9 units). */
  lpPrice: bigint;
  /** Unix seconds. */
  startTime: number;
  endTime: number;
  /** Basis points. */
  managementFee: number;
  hasWhitelist: boolean;
  lpMinter: Address;
  destination: Address;
  feeManager: Address;
  name: string;
  description: string;
  vesting: VestingTerms | null;
}

export function loadCampaignParams(slice: Slice): CampaignParams {
  const parties = {
    operator: slice.loadAddress(),
    lpManager: slice.loadAddress(),
    currency: slice.loadMaybeAddress(),
  };
  const terms = loadTerms(slice.loadRef().beginParse());
  const places = loadPlaces(slice.loadRef().beginParse());
  const about = slice.loadRef().beginParse();
  const vesting = slice.loadMaybeRef();
  return {
    ...parties,
    ...terms,
    ...places,
    name: loadSnakeText(about.loadRef().beginParse()),
    description: loadSnakeText(about.loadRef().beginParse()),
    vesting: vesting && loadVestingTerms(vesting.beginParse()),
  };
}

export function storeCampaignParams(params: CampaignParams) {
  return (builder: Builder): void => {
    const { vesting } = params;
    builder
      .storeAddress(params.operator)
      .storeAddress(params.lpManager)
      .storeAddress(params.currency)
      .storeRef(beginCell().store(storeTerms(params)).endCell())
      .storeRef(beginCell().store(storePlaces(params)).endCell())
      .storeRef(
        beginCell().storeRef(snakeText(params.name)).storeRef(snakeText(params.description)).endCell(),
      )
      .storeMaybeRef(vesting && beginCell().store(storeVestingTerms(vesting)).endCell());
  };
}

type CampaignTerms = Pick<
  CampaignParams,
  | 'minTotal'
  | 'maxTotal'
  | 'minPerUser'
  | 'maxPerUser'
  | 'lpPrice'
  | 'startTime'
  | 'endTime'
  | 'managementFee'
  | 'hasWhitelist'
>;

function loadTerms(slice: Slice): CampaignTerms {
  return {
    minTotal: slice.loadCoins(),
    maxTotal: slice.loadCoins(),
    minPerUser: slice.loadCoins(),
    maxPerUser: slice.loadCoins(),
    lpPrice: slice.loadCoins(),
    startTime: slice.loadUint(32),
    endTime: slice.loadUint(32),
    managementFee: slice.loadUint(16),
    hasWhitelist: slice.loadBit(),
  };
}

function storeTerms(terms: CampaignTerms) {
  return (builder: Builder): void => {
    builder
      .storeCoins(terms.minTotal)
      .storeCoins(terms.maxTotal)
      .storeCoins(terms.minPerUser)
      .storeCoins(terms.maxPerUser)
      .storeCoins(terms.lpPrice)
      .storeUint(terms.startTime, 32)
      .storeUint(terms.endTime, 32)
      .storeUint(terms.managementFee, 16)
      .storeBit(terms.hasWhitelist);
  };
}

type CampaignPlaces = Pick<CampaignParams, 'lpMinter' | 'destination' | 'feeManager'>;

function loadPlaces(slice: Slice): CampaignPlaces {
  return {
    lpMinter: slice.loadAddress(),
    destination: slice.loadAddress(),
    feeManager: slice.loadAddress(),
  };
}

function storePlaces(places: CampaignPlaces) {
  return (builder: Builder): void => {
    builder.storeAddress(places.lpMinter).storeAddress(places.destination).storeAddress(places.feeManager);
  };
}
