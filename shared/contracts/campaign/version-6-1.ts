import type { Cell } from '@ton/core';
import { type ContractVersion, on } from '../contract-version.ts';
import { acceptContribution } from '../crowdfunding/accept-contribution.ts';
import type { CampaignParams } from '../crowdfunding/campaign-params.ts';
import { changeWhitelist } from '../crowdfunding/change-whitelist.ts';
import { claimDaoFee } from '../crowdfunding/claim-dao-fee.ts';
import { claimLp } from '../crowdfunding/claim-lp.ts';
import { type Contribute, contribute } from '../crowdfunding/contribute.ts';
import { emergencyWithdraw } from '../crowdfunding/emergency-withdraw.ts';
import { finalise } from '../crowdfunding/finalise.ts';
import { initCampaign } from '../crowdfunding/init-campaign.ts';
import { refund } from '../crowdfunding/refund.ts';
import { refuseContribution } from '../crowdfunding/refuse-contribution.ts';
import { releaseVault } from '../crowdfunding/release-vault.ts';
import { setPaused } from '../crowdfunding/set-paused.ts';
import { upgrade } from '../governance/upgrade.ts';
import { excesses } from '../jetton/excesses.ts';
import { takeWalletAddress } from '../jetton/take-wallet-address.ts';
import { jettonTransferNotification } from '../jetton/transfer-notification.ts';
import { bodyOf } from '../message-schema.ts';
import type { CampaignEvent, CampaignStarted } from './event.ts';

/** The body of a native contribution (nanoton). */
export function contribution61(contribution: Contribute): Cell {
  return bodyOf(contribute, contribution);
}

/** Campaign (crowdfunding master) 6.1. A contribution counts when its helper has accepted it. */
export const campaign61: ContractVersion<CampaignEvent> = {
  kind: 'campaign',
  version: '6.1',
  receives: [
    on(initCampaign, ({ params }) => started(params)),
    on(contribute),
    on(jettonTransferNotification),
    on(acceptContribution, ({ amount, owner }) => ({
      type: 'contribution_accepted',
      owner: owner.toRawString(),
      amount: amount.toString(),
    })),
    on(refuseContribution),
    on(setPaused, ({ paused }) => ({ type: 'pause_set', paused })),
    on(changeWhitelist, ({ changes }) => ({
      type: 'whitelist_changed',
      changes: changes.map(([address, listed]) => [address.toRawString(), listed]),
    })),
    on(finalise, () => ({ type: 'campaign_finalised' })),
    on(emergencyWithdraw, () => ({ type: 'emergency_withdrawn' })),
    on(claimDaoFee, () => ({ type: 'dao_fee_claimed' })),
    on(claimLp, ({ amount, owner }) => ({
      type: 'lp_claimed',
      owner: owner.toRawString(),
      amount: amount.toString(),
    })),
    on(refund, ({ amount, owner }) => ({
      type: 'refunded',
      owner: owner.toRawString(),
      amount: amount.toString(),
    })),
    on(releaseVault),
    on(takeWalletAddress),
    on(excesses),
    on(upgrade),
  ],
  contribution: contribution61,
};

function started(params: CampaignParams): CampaignStarted {
  const { vesting } = params;
  return {
    type: 'campaign_started',
    operator: params.operator.toRawString(),
    lp_manager: params.lpManager.toRawString(),
    lp_minter: params.lpMinter.toRawString(),
    destination: params.destination.toRawString(),
    fee_manager: params.feeManager.toRawString(),
    currency: params.currency?.toRawString() ?? null,
    min_total: params.minTotal.toString(),
    max_total: params.maxTotal.toString(),
    min_per_user: params.minPerUser.toString(),
    max_per_user: params.maxPerUser.toString(),
    lp_price: params.lpPrice.toString(),
    start_time: params.startTime,
    end_time: params.endTime,
    management_fee: params.managementFee,
    has_whitelist: params.hasWhitelist,
    name: params.name,
    description: params.description,
    vesting: vesting && {
      start: vesting.start,
      cliff: vesting.cliff,
      duration: vesting.duration,
      tge_bps: vesting.tgeBps,
    },
  };
}
