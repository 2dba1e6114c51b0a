import {
  address,
  amount,
  arrayOf,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  ref,
  text,
  timestamp,
} from '../schema.ts';

export const CAMPAIGN_STATUSES = ['active', 'successful', 'failed', 'emergency_withdrawn'];

const campaign = object(
  'A crowdfunding campaign. Amounts are in smallest units of the collection currency (nanoton for a native campaign) unless said.',
  {
    address: address('The campaign (crowdfunding master).'),
    daoAddress: address('The DAO that owns it.'),
    status: oneOf(
      CAMPAIGN_STATUSES,
      '`active` -> `successful` (finalised with at least the minimum) or `failed` (below it); any -> `emergency_withdrawn`. It changes by a chain event alone.',
    ),
  },
  {
    name: text('Name of the campaign.'),
    description: text('Description of the campaign.'),
    daoName: text('Name of the DAO as it is now.'),
    isNative: boolean('True where coins are collected, false for a jetton.'),
    jettonSymbol: nullable(text('Symbol of the collected jetton; null for a native campaign.')),
    jettonDecimals: nullable(integer('Decimals of the collected jetton; null for a native campaign.')),
    jettonImage: nullable(text('Image (URL) of the collected jetton; null for a native campaign.')),
    jettonMasterAddress: address('Minter of the collected jetton.'),
    lpManagerAddress: address('The LP manager.'),
    lpJettonMasterAddress: address('Minter of the LP jetton.'),
    destinationAddress: address('Where the collected funds go.'),
    feeManagerAddress: address('The fee manager.'),
    minTotalAmount: amount('Below this the campaign fails.'),
    maxTotalAmount: amount('Hard cap; absent where there is none.'),
    minAmountPerUser: amount('Least single contribution.'),
    maxAmountPerUser: amount('Most that a wallet may contribute in all; absent where there is no limit.'),
    startTime: timestamp('Contributions are taken from here on.'),
    endTime: timestamp('Contributions are taken until here.'),
    lpPrice: amount('Collection currency for one whole LP jetton.'),
    managementFee: integer('Basis points (1/100 of a percent).', { minimum: 0, maximum: 10000 }),
    paused: boolean('Contributions are paused; independent of the status.'),
    totalAmount: amount('Contributed so far.'),
    totalClaimed: amount('Contributions whose LP was claimed so far.'),
    totalRefunded: amount('Refunded so far.'),
    isEmergencyWithdrawn: boolean('Whether the funds were withdrawn in an emergency.'),
    hasWhitelist: boolean('Whether only listed wallets may contribute.'),
    whitelist: arrayOf(
      address('A listed wallet.'),
      'The first 1000 listed wallets, in the order of their listing; absent where the campaign has no whitelist.',
    ),
    contributors: arrayOf(
      ref('CrowdfundingContributor'),
      'The 100 largest by gross amount (kept after a refund).',
    ),
    participantsCount: integer('Exact number of wallets that contributed.'),
    progressPercentage: {
      type: 'number',
      format: 'float',
      minimum: 0,
      maximum: 100,
      description:
        'Percent: 100 x totalAmount / maxTotalAmount (minTotalAmount where there is no maximum), two decimals.',
    },
    updatedAt: timestamp('Last change on the chain.'),
    finishedAt: timestamp('When the status left `active`.'),
    dao: ref('Dao', 'The DAO as it is now.'),
    userHelper: ref(
      'CrowdfundingParticipant',
      "The participation of the token's `owner_address`; absent where it has none.",
    ),
    daoFeeClaimed: boolean('Whether the DAO claimed its fee.'),
    daoFeeClaimedAt: nullable(timestamp('When it did; null before.')),
    daoFeeAmount: amount('Fee of the DAO.'),
    hasVesting: boolean('Whether claimed LP goes through a vesting vault.'),
  },
);

export const crowdfundingSchemas = {
  CrowdfundingCampaign: campaign,
  CrowdfundingContributor: object('A contributor of a campaign.', {
    address: address('The wallet.'),
    amount: amount('What it contributed in all, before any refund.'),
  }),
  CrowdfundingParticipant: object(
    "A wallet's participation in a campaign.",
    {
      address: address('The helper contract of this wallet and campaign.'),
      masterAddress: address('The campaign.'),
      ownerAddress: address('The wallet.'),
      amount: amount('Contributed.'),
    },
    {
      isClaimed: boolean('Whether the LP was claimed.'),
      isRefunded: boolean('Whether the contribution was refunded.'),
      claimedAt: timestamp('When it was claimed.'),
      refundedAt: timestamp('When it was refunded.'),
      dateCreate: timestamp('First contribution.'),
    },
  ),
  DaoLpMasterWithLpHolders: object('An LP jetton master with a page of its holders.', {
    lpJettonMasterAddress: address('The LP jetton master.'),
    campaignAddresses: arrayOf(address('A campaign.'), 'The campaigns that hand out this LP jetton.'),
    holdersTotal: integer('Exact number of holders.', { format: 'int64', minimum: 0 }),
    holders: arrayOf(ref('CrowdfundingLpHolder'), 'By balance descending, then owner.'),
  }),
  CrowdfundingLpHolder: object('A holder of an LP jetton. Holders with balance 0 are not listed.', {
    lpJettonWalletAddress: address("The holder's LP jetton wallet."),
    ownerAddress: address('The holder.'),
    balance: amount('LP.'),
  }),
};
