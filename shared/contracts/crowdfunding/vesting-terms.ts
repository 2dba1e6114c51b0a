import type { Builder, Slice } from '@ton/core';

// vesting_terms#_ start:uint32 cliff:uint32 duration:uint32 tge_bps:uint16 = VestingTerms;

/** When LP jettons in a vault become free. Unix seconds, seconds, seconds, basis points. */
export interface VestingTerms {
  start: number;
  cliff: number;
  duration: number;
  tgeBps: number;
}

export function loadVestingTerms(slice: Slice): VestingTerms {
  return {
    start: slice.loadUint(32),
    cliff: slice.loadUint(32),
    duration: slice.loadUint(32),
    tgeBps: slice.loadUint(16),
  };
}

export function storeVestingTerms(terms: VestingTerms) {
  return (builder: Builder): void => {
    builder
      .storeUint(terms.start, 32)
      .storeUint(terms.cliff, 32)
      .storeUint(terms.duration, 32)
      .storeUint(terms.tgeBps, 16);
  };
}
