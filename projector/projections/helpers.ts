import { isoTime } from '../../shared/iso-time.ts';
import type { JsonObject } from '../account-fold.ts';
import type { HelperState } from '../accounts/helper.ts';
import type { Parts, Projection } from '../projection.ts';
import { amountDescending } from '../sort-key.ts';

/** A helper's word in the documents that show it. */
export type HelperPart = HelperState & { helper: string };

/** A wallet's part in one campaign, as a campaign shows the helper of the token's owner. */
export const helpers: Projection = {
  name: 'helpers',
  version: 1,
  render: (_, parts) => {
    const part = onlyPart(parts);
    if (!part) return null;
    return {
      body: {
        address: part.helper,
        masterAddress: part.campaign.address,
        ownerAddress: part.owner,
        amount: part.amount,
        ...courseOf(part),
      },
      entries: [],
    };
  },
};

/** Who has contributed how much to a campaign, gross, the largest first, then by address. */
export const contributors: Projection = {
  name: 'contributors',
  version: 1,
  render: (key, parts) => {
    const [part] = parts.values() as Iterable<Pick<HelperPart, 'amount'>>;
    if (!part) return null;
    const [campaign, address] = key.split('/') as [string, string];
    return {
      body: { address, amount: part.amount },
      entries: [{ list: `contributors/${campaign}`, sortKey: `${amountDescending(part.amount)}/${address}` }],
    };
  },
};

/** What became of a wallet's part in a campaign. */
export function courseOf({ claimed_at, refunded_at, created_at }: HelperPart): JsonObject {
  return {
    isClaimed: claimed_at !== null,
    isRefunded: refunded_at !== null,
    ...(claimed_at !== null && { claimedAt: isoTime(claimed_at) }),
    ...(refunded_at !== null && { refundedAt: isoTime(refunded_at) }),
    dateCreate: isoTime(created_at),
  };
}

/** There is one helper per campaign and wallet. */
function onlyPart(parts: Parts): HelperPart | undefined {
  const [part] = parts.values();
  return part as HelperPart | undefined;
}
