import type { Address } from '@ton/core';
import type { CampaignEvent } from '../../shared/contracts/campaign/event.ts';
import { campaign61 } from '../../shared/contracts/campaign/version-6-1.ts';
import { type ContractVersion, on } from '../../shared/contracts/contract-version.ts';
import type { Contribute } from '../../shared/contracts/crowdfunding/contribute.ts';
import { bodyOf, messageSchema } from '../../shared/contracts/message-schema.ts';

/** Investor to native campaign, from 6.2 on: nanoton, and who referred the investor. */
interface ReferredContribution extends Contribute {
  referrer: Address | null;
}

const contributeWithReferrer = messageSchema<ReferredContribution>(
  'contribute_with_referrer query_id:uint64 amount:Coins referrer:MsgAddress = InternalMsgBody',
  {
    load: (slice) => ({
      queryId: slice.loadUintBig(64),
      amount: slice.loadCoins(),
      referrer: slice.loadMaybeAddress(),
    }),
    store: ({ queryId, amount, referrer }, builder) => {
      builder.storeUint(queryId, 64).storeCoins(amount).storeAddress(referrer);
    },
  },
);

/** Campaign 6.2: 6.1 but for the message of a contribution. */
export const campaign62: ContractVersion<CampaignEvent> = {
  ...campaign61,
  version: '6.2',
  receives: [...campaign61.receives, on(contributeWithReferrer)],
  contribution: (contribution) => bodyOf(contributeWithReferrer, { ...contribution, referrer: null }),
};
