import { isoTime } from '../../shared/iso-time.ts';
import type { JsonObject } from '../account-fold.ts';
import type { CampaignState } from '../accounts/campaign.ts';
import type { Projection } from '../projection.ts';
import { uint64Descending } from '../sort-key.ts';

/** A campaign's word in the documents that show it. */
export type CampaignPart = Omit<CampaignState, 'terms'> &
  NonNullable<CampaignState['terms']> & { dao: string };

/**
 * Endpoint 5: the campaigns of a DAO, newest first, and by status. What is shared or listed (the DAO,
 * whitelist, contributors, the token's helper) is joined at read.
 */
export const campaigns: Projection = {
  name: 'campaigns',
  version: 1,
  render: (address, parts) => {
    const part = parts.get(address) as CampaignPart | undefined;
    if (!part) return null;
    const list = `campaigns/${part.dao}`;
    const sortKey = uint64Descending(part.created_lt);
    return {
      body: {
        address,
        daoAddress: part.dao,
        name: part.name,
        description: part.description,
        ...currencyOf(part),
        lpManagerAddress: part.lp_manager,
        lpJettonMasterAddress: part.lp_minter,
        destinationAddress: part.destination,
        feeManagerAddress: part.fee_manager,
        minTotalAmount: part.min_total,
        ...(part.max_total !== '0' && { maxTotalAmount: part.max_total }),
        minAmountPerUser: part.min_per_user,
        ...(part.max_per_user !== '0' && { maxAmountPerUser: part.max_per_user }),
        startTime: isoTime(part.start_time),
        endTime: isoTime(part.end_time),
        lpPrice: part.lp_price,
        managementFee: part.management_fee,
        status: part.status,
        paused: part.paused,
        totalAmount: part.total,
        totalClaimed: part.claimed,
        totalRefunded: part.refunded,
        isEmergencyWithdrawn: part.status === 'emergency_withdrawn',
        hasWhitelist: part.has_whitelist,
        progressPercentage: progressOf(part),
        updatedAt: isoTime(part.updated_at),
        ...(part.finished_at !== null && { finishedAt: isoTime(part.finished_at) }),
        ...feeOf(part),
        hasVesting: part.vesting !== null,
      },
      entries: [
        { list, sortKey },
        { list: `${list}/${part.status}`, sortKey },
      ],
    };
  },
};

function currencyOf({ currency }: CampaignPart): JsonObject {
  return {
    isNative: currency === null,
    jettonSymbol: currency?.symbol ?? null,
    jettonDecimals: currency?.decimals ?? null,
    jettonImage: currency?.image ?? null,
    ...(currency && { jettonMasterAddress: currency.minter }),
  };
}

/** Percent with two decimals, rounded down, of the maximum or, where there is none, of the minimum. */
function progressOf({ total, max_total, min_total }: CampaignPart): number {
  const goal = BigInt(max_total === '0' ? min_total : max_total);
  if (goal === 0n) return 100;
  const hundredths = (BigInt(total) * 10_000n) / goal;
  return Number(hundredths > 10_000n ? 10_000n : hundredths) / 100;
}

function feeOf({ total, management_fee, dao_fee_claimed_at }: CampaignPart): JsonObject {
  return {
    daoFeeClaimed: dao_fee_claimed_at !== null,
    daoFeeClaimedAt: dao_fee_claimed_at === null ? null : isoTime(dao_fee_claimed_at),
    daoFeeAmount: ((BigInt(total) * BigInt(management_fee)) / 10_000n).toString(),
  };
}
