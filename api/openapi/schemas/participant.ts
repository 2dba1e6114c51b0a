import { address, amount, arrayOf, boolean, integer, object, ref, text, timestamp } from '../schema.ts';

export const participantSchemas = {
  DaoParticipantStatus: object("One wallet's participation across the campaigns of one DAO.", {
    daoAddress: address('The DAO.'),
    ownerAddress: address('The wallet.'),
    campaigns: arrayOf(
      ref('DaoParticipantCampaign'),
      'The campaigns that it took part in, by creation descending.',
    ),
    totalInvested: amount('Sum of the invested amounts as they are, whatever their currency.'),
    totalLpHeld: amount(
      'Sum of the LP in the wallet; an LP master that several campaigns share counts once.',
    ),
    totalLpVesting: amount('Sum of total minus claimed over the vaults that are not emergency-released.'),
    activeCount: integer('Campaigns neither claimed nor refunded.'),
  }),
  DaoParticipantCampaign: object(
    "A wallet's participation in one campaign.",
    {
      campaignAddress: address('The campaign.'),
      helperAddress: address('The helper contract of this wallet and campaign.'),
      amount: amount('Invested, in the collection currency.'),
      lpBalance: amount("The wallet's balance of the campaign's LP jetton; 0 if none."),
      isClaimed: boolean('Whether the LP was claimed.'),
      isRefunded: boolean('Whether the contribution was refunded.'),
    },
    {
      campaignName: text('Name of the campaign.'),
      isNative: boolean('True where coins are collected, false for a jetton.'),
      jettonSymbol: text('Symbol of the collected jetton.'),
      claimedAt: timestamp('When it was claimed.'),
      refundedAt: timestamp('When it was refunded.'),
      dateCreate: timestamp('First contribution.'),
      vesting: ref('ParticipantVesting'),
    },
  ),
  ParticipantVesting: object(
    'A vesting vault of a wallet.',
    {
      vaultAddress: address('The vault.'),
      totalLpAmount: amount('LP locked in the vault in all.'),
      claimedLpAmount: amount('LP claimed from it.'),
      isInitialized: boolean('Whether the vault has been set up.'),
      isEmergencyReleased: boolean('Whether all was unlocked in an emergency.'),
    },
    {
      vestingStart: timestamp('Start of the vesting.'),
      cliffDuration: integer('Seconds.'),
      vestingDuration: integer('Seconds of the linear vesting after the cliff.'),
      tgeUnlockBps: integer('Unlocked at the start, in basis points (1/100 of a percent).', {
        minimum: 0,
        maximum: 10000,
      }),
      vestingEnd: timestamp('vestingStart + cliffDuration + vestingDuration.'),
    },
  ),
};
