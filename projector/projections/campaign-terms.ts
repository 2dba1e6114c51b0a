import type { Projection } from '../projection.ts';
import type { CampaignPart } from './campaigns.ts';

/** What the links need of a campaign beside what its answer shows; times in unix seconds. */
export const campaignTerms: Projection = {
  name: 'campaign_terms',
  version: 2,
  internal: true,
  render: (address, parts) => {
    const part = parts.get(address) as CampaignPart | undefined;
    if (!part) return null;
    const { dao, currency, start_time, end_time, lp_price, lp_minter, vesting, code_hash } = part;
    return {
      body: {
        dao,
        code_hash,
        currency: currency?.minter ?? null,
        start_time,
        end_time,
        lp_price,
        vesting,
        lp_minter,
      },
      entries: [],
    };
  },
};
