/** Values that the examples of the OpenAPI document share. */
export const address = (digit: string) => `0:${digit.repeat(64)}`;

export const dao = {
  address: address('a'),
  owner_address: address('b'),
  name: 'Harbour Guild',
  jetton_address: address('c'),
  jetton_metadata: { name: 'Harbour', symbol: 'HRB', decimals: '9' },
  success_percentage: 51,
  total_supply: '1000000000000000',
  date_create: '2025-01-15T08:30:00Z',
  plugins: [
    {
      address: address('d'),
      type: 'lp_manager',
      lp_manager_index: 0,
      lp_jetton_master_address: address('e'),
      lp_token_name: 'Harbour LP',
      lp_token_symbol: 'HLP',
      lp_token_image: null,
      subaccount_index: null,
      subaccount_name: null,
    },
  ],
  crowdfunding_status: 'enabled',
};

export const campaign = {
  address: address('5'),
  daoAddress: dao.address,
  name: 'A new pier',
  description: 'For the boats of the guild.',
  isNative: true,
  jettonSymbol: null,
  jettonDecimals: null,
  jettonImage: null,
  lpManagerAddress: address('d'),
  lpJettonMasterAddress: address('e'),
  destinationAddress: dao.address,
  feeManagerAddress: address('f'),
  minTotalAmount: '500000000000',
  maxTotalAmount: '1000000000000',
  minAmountPerUser: '1000000000',
  startTime: '2026-08-01T00:00:00Z',
  endTime: '2027-09-01T00:00:00Z',
  lpPrice: '500000000',
  managementFee: 250,
  status: 'active',
  paused: false,
  totalAmount: '20000000000',
  totalClaimed: '0',
  totalRefunded: '0',
  isEmergencyWithdrawn: false,
  hasWhitelist: true,
  progressPercentage: 2,
  updatedAt: '2026-08-05T10:00:00Z',
  daoFeeClaimed: false,
  daoFeeClaimedAt: null,
  daoFeeAmount: '500000000',
  hasVesting: false,
  whitelist: [address('2')],
  contributors: [{ address: address('2'), amount: '20000000000' }],
  participantsCount: 1,
  daoName: dao.name,
  dao,
  userHelper: {
    address: address('7'),
    masterAddress: address('5'),
    ownerAddress: address('2'),
    amount: '20000000000',
    isClaimed: false,
    isRefunded: false,
    dateCreate: '2026-08-05T10:00:00Z',
  },
};

const transfer = (to: string, valueNanoton: string, bodyBocBase64Url: string) => ({
  tonTransfer: { uri: `ton://transfer/${to}?amount=${valueNanoton}&bin=${bodyBocBase64Url}` },
  details: { to, valueNanoton, bodyBocBase64Url },
});

export const contributionLink = {
  isNative: true,
  campaignAddress: address('5'),
  ...transfer(
    'EQBVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVUMv',
    '5080000000',
    'te6cckEBAQEAFAAAI1VpiJ4AAAAAAAAAAFASoF8gCPUxWDA',
  ),
  miniAppLink:
    'https://t.me/harbour_bot/app?startapp=contribute_EQBVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVUMv_5000000000',
  warnings: [],
};

export const claimLink = {
  kind: 'initial_claim',
  campaignAddress: address('5'),
  ...transfer(
    'EQB3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3dxGx',
    '160000000',
    'te6cckEBAQEADgAAGHGC1T0AAAAAAAAAAOFow3E',
  ),
  vesting: {
    phase: 'cliff',
    claimableAmount: '10000000000',
    vestedAmount: '10000000000',
    totalLpAmount: '40000000000',
    claimedLpAmount: '0',
    vestingEnd: '2027-10-01T00:00:00Z',
  },
  warnings: [],
};

export const vestingClaimLink = {
  ...claimLink,
  kind: 'vested_claim',
  ...transfer(
    'EQCIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiJUF',
    '70000000',
    'te6cckEBAQEADgAAGA-Ma-MAAAAAAAAAAK-8IFA',
  ),
};
