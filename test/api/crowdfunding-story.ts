import { registeredCodes } from '../../shared/contracts/registry.ts';
import type { MemoryStore } from './memory-store.ts';
import { address, DAO, iso, OTHER_DAO } from './story.ts';

/** Between these the campaigns of the story run. */
export const START = 1_759_000_000;
export const END = 1_765_000_000;

/** Campaigns of the story, by what they are. */
export const NATIVE = address(0xc1);
export const LISTED_NATIVE = address(0xc2);
export const JETTON = address(0xc3);
export const LISTED_JETTON = address(0xc4);
export const SUCCESSFUL = address(0xc5);
export const VESTED = address(0xc6);
export const FAILED = address(0xc7);
export const WITHDRAWN = address(0xc8);
export const PAUSED = address(0xc9);
export const FOREIGN = address(0xcf);
export const CAMPAIGNS = [
  NATIVE,
  LISTED_NATIVE,
  JETTON,
  LISTED_JETTON,
  SUCCESSFUL,
  VESTED,
  FAILED,
  WITHDRAWN,
  PAUSED,
];

export const CURRENCY = address(0x7e7);
export const MINTERS = [address(0x1b0), address(0x1b1)] as const;
/** On the whitelist at its end, after 1200 others. */
export const INVESTOR = address(0x1711);
export const WHITELISTED = 1200;
/** Has contributed to most campaigns. */
export const OWNER = address(0x0331);
export const HELPER = address(0x4e1);
export const VAULT = address(0x7a0);

export const MIN = 1_000_000_000n;
export const MAX = 50_000_000_000n;
export const CAP = 1_000_000_000_000n;
export const TOTAL = 990_000_000_000n;

/** As the projector stores it. */
export function campaignBody(campaign: string, more: object = {}) {
  return {
    address: campaign,
    daoAddress: DAO,
    name: `"hasWhitelist":true,"address":"0:0" ${campaign.slice(-2)}`,
    description: '"}],\\',
    isNative: true,
    jettonSymbol: null as string | null,
    jettonDecimals: null,
    jettonImage: null,
    lpManagerAddress: address(3),
    lpJettonMasterAddress: MINTERS[0],
    destinationAddress: DAO,
    feeManagerAddress: address(6),
    minTotalAmount: '500000000000',
    maxTotalAmount: String(CAP),
    minAmountPerUser: String(MIN),
    maxAmountPerUser: String(MAX),
    startTime: iso(START),
    endTime: iso(END),
    lpPrice: '3000000000',
    managementFee: 250,
    status: 'active',
    paused: false,
    totalAmount: String(TOTAL),
    totalClaimed: '0',
    totalRefunded: '0',
    isEmergencyWithdrawn: false,
    hasWhitelist: false,
    progressPercentage: 99,
    updatedAt: iso(START),
    daoFeeClaimed: false,
    daoFeeClaimedAt: null,
    daoFeeAmount: '24750000000',
    hasVesting: false,
    ...more,
  };
}

export const SCHEDULE = { start: START, cliff: 1000, duration: 4000, tge_bps: 2500 };

export function termsBody(more: object = {}) {
  return {
    dao: DAO,
    code_hash: registeredCodes().find(({ kind }) => kind === 'campaign')?.codeHash,
    currency: null as string | null,
    start_time: START,
    end_time: END,
    lp_price: '3000000000',
    vesting: null as typeof SCHEDULE | null,
    lp_minter: MINTERS[0],
    ...more,
  };
}

export function helperBody(campaign: string, more: object = {}) {
  return {
    address: HELPER,
    masterAddress: campaign,
    ownerAddress: OWNER,
    amount: '20000000000',
    isClaimed: false,
    isRefunded: false,
    dateCreate: iso(START),
    ...more,
  };
}

export function vaultBody(more: object = {}) {
  return {
    vaultAddress: VAULT,
    totalLpAmount: '1000000007',
    claimedLpAmount: '0',
    cliffDuration: SCHEDULE.cliff,
    vestingDuration: SCHEDULE.duration,
    tgeUnlockBps: SCHEDULE.tge_bps,
    isInitialized: true,
    isEmergencyReleased: false,
    vestingStart: SCHEDULE.start,
    ...more,
  };
}

export const participantBody = {
  daoAddress: DAO,
  ownerAddress: OWNER,
  campaigns: [
    {
      campaignAddress: SUCCESSFUL,
      helperAddress: HELPER,
      campaignName: 'A "pier"',
      isNative: true,
      amount: '20000000000',
      lpBalance: '0',
      isClaimed: false,
      isRefunded: false,
      dateCreate: iso(START),
    },
  ],
  totalInvested: '20000000000',
  totalLpHeld: '0',
  totalLpVesting: '0',
  activeCount: 1,
};

/** A campaign with its terms, in the lists where it belongs. */
export function putCampaign(store: MemoryStore, campaign: string, shown: object = {}, terms: object = {}) {
  const body = campaignBody(campaign, shown);
  store.put('campaigns', campaign, body);
  store.put('campaign_terms', campaign, termsBody(terms));
  // Newest first: the higher the address, the newer.
  const sortKey = String(10_000 - Number.parseInt(campaign.slice(-4), 16));
  store.enlist(`campaigns/${body.daoAddress}`, sortKey, body);
  store.enlist(`campaigns/${body.daoAddress}/${body.status}`, sortKey, body);
  return body;
}

/** Nine campaigns of one DAO in every state, one of another DAO, a wallet that took part in all of them. */
export function fillCrowdfunding(store: MemoryStore): void {
  const jetton = { isNative: false, jettonSymbol: 'USD', jettonMasterAddress: CURRENCY };
  putCampaign(store, NATIVE);
  putCampaign(store, LISTED_NATIVE, { hasWhitelist: true });
  putCampaign(store, JETTON, jetton, { currency: CURRENCY });
  putCampaign(store, LISTED_JETTON, { ...jetton, hasWhitelist: true }, { currency: CURRENCY });
  putCampaign(store, SUCCESSFUL, { status: 'successful', finishedAt: iso(END) });
  putCampaign(store, VESTED, { status: 'successful', hasVesting: true }, { vesting: SCHEDULE });
  putCampaign(store, FAILED, { status: 'failed' });
  putCampaign(store, WITHDRAWN, { status: 'emergency_withdrawn', isEmergencyWithdrawn: true });
  putCampaign(store, PAUSED, { paused: true });
  putCampaign(store, FOREIGN, { daoAddress: OTHER_DAO });

  for (const campaign of [LISTED_NATIVE, LISTED_JETTON]) {
    for (let index = 0; index <= WHITELISTED; index += 1) {
      const listed = index === WHITELISTED ? INVESTOR : address(0x10_0000 + index);
      store.put('whitelist', `${campaign}/${listed}`, listed);
      store.enlist(`whitelist/${campaign}`, String(index).padStart(6, '0'), listed);
    }
  }
  for (const campaign of CAMPAIGNS) {
    store.put('helpers', `${campaign}/${OWNER}`, helperBody(campaign));
    store.enlist(`contributors/${campaign}`, `0/${OWNER}`, { address: OWNER, amount: '20000000000' });
  }
  for (let index = 0; index < 150; index += 1) {
    const body = { address: address(0x20_0000 + index), amount: String(1000 - index) };
    store.enlist(`contributors/${NATIVE}`, `1/${String(index).padStart(4, '0')}`, body);
  }
  store.put('vaults', `${VESTED}/${OWNER}`, vaultBody());
  store.put('participants', `${DAO}/${OWNER}`, participantBody);

  for (const [master, minter] of MINTERS.entries()) {
    const campaignAddresses = master === 0 ? [NATIVE, VESTED] : [];
    store.enlist(`lp_masters/${DAO}`, String(master), { lpJettonMasterAddress: minter, campaignAddresses });
  }
  for (let index = 0; index < 5; index += 1) {
    const body = {
      lpJettonWalletAddress: address(0x300 + index),
      ownerAddress: address(0x400 + index),
      balance: String(50 - index),
    };
    store.enlist(`lp_holders/${DAO}/${MINTERS[0]}`, String(index), body);
  }
}
