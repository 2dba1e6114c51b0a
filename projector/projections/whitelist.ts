import type { Projection } from '../projection.ts';
import { uint64Ascending } from '../sort-key.ts';

type WhitelistPart = { lt: string; index: number };

/** Who is on the whitelist of a campaign, in the order in which they came on it. */
export const whitelist: Projection = {
  name: 'whitelist',
  version: 1,
  render: (key, parts) => {
    const [campaign, address] = key.split('/') as [string, string];
    const part = parts.get(campaign) as WhitelistPart | undefined;
    if (!part) return null;
    const sortKey = `${uint64Ascending(part.lt)}/${String(part.index).padStart(6, '0')}/${address}`;
    return { body: address, entries: [{ list: `whitelist/${campaign}`, sortKey }] };
  },
};
