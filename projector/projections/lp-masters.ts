import type { WalletState } from '../accounts/jetton-wallet.ts';
import type { Projection } from '../projection.ts';
import { amountDescending, uint64Ascending } from '../sort-key.ts';

type MasterPart = { minter: string; created_lt: string };
type CampaignPlace = { campaign: string; created_lt: string };

/** Endpoint 6: the LP masters of a DAO, oldest first, with the campaigns that issue their jettons. */
export const lpMasters: Projection = {
  name: 'lp_masters',
  version: 1,
  shared: true,
  render: (key, parts) => {
    const [dao, minter] = key.split('/') as [string, string];
    const master = parts.get(minter) as MasterPart | undefined;
    if (!master) return null;
    const places = [...parts.values()].filter((part) => 'campaign' in part) as CampaignPlace[];
    const order = ({ created_lt, campaign }: CampaignPlace) => uint64Ascending(created_lt) + campaign;
    places.sort((a, b) => (order(a) < order(b) ? -1 : 1));
    return {
      body: { lpJettonMasterAddress: minter, campaignAddresses: places.map(({ campaign }) => campaign) },
      entries: [{ list: `lp_masters/${dao}`, sortKey: `${uint64Ascending(master.created_lt)}/${minter}` }],
    };
  },
};

/** Who holds the jettons of an LP master, vaults included: largest balance first, then by owner. */
export const lpHolders: Projection = {
  name: 'lp_holders',
  version: 1,
  render: (key, parts) => {
    const [dao, wallet] = key.split('/') as [string, string];
    const part = parts.get(wallet) as WalletState | undefined;
    if (!part) return null;
    const list = `lp_holders/${dao}/${part.minter}`;
    return {
      body: { lpJettonWalletAddress: wallet, ownerAddress: part.owner, balance: part.balance },
      entries: [{ list, sortKey: `${amountDescending(part.balance)}/${part.owner}` }],
    };
  },
};
