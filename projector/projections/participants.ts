import type { JsonObject } from '../account-fold.ts';
import type { WalletState } from '../accounts/jetton-wallet.ts';
import type { Parts, Projection } from '../projection.ts';
import { uint64Descending } from '../sort-key.ts';
import { courseOf, type HelperPart } from './helpers.ts';
import { type VaultPart, vestingBlock } from './vaults.ts';

/**
 * Endpoint 7: all that one wallet has in the campaigns of a DAO, in one document: its helpers, vaults
 * and LP wallets joined. Campaigns from the latest participation on.
 */
export const participants: Projection = {
  name: 'participants',
  version: 1,
  shared: true,
  render: (key, parts) => {
    const [dao, owner] = key.split('/') as [string, string];
    const { shares, vaults, balances } = sorted(parts);
    if (shares.length === 0) return null;
    const campaigns = shares.map((share) => campaignBody(share, vaults, balances));
    const minters = new Set(shares.map(({ campaign }) => campaign.lp_minter));
    return {
      body: {
        daoAddress: dao,
        ownerAddress: owner,
        campaigns,
        totalInvested: sum(shares.map(({ amount }) => amount)),
        totalLpHeld: sum([...minters].map((minter) => balances.get(minter) ?? '0')),
        totalLpVesting: sum([...vaults.values()].map(locked)),
        activeCount: shares.filter((share) => share.claimed_at === null && share.refunded_at === null).length,
      },
      entries: [],
    };
  },
};

function campaignBody(
  share: HelperPart,
  vaults: Map<string, VaultPart>,
  balances: Map<string, string>,
): JsonObject {
  const { address, name, native, symbol, lp_minter } = share.campaign;
  const vault = vaults.get(address);
  return {
    campaignAddress: address,
    helperAddress: share.helper,
    campaignName: name,
    isNative: native,
    ...(symbol !== null && { jettonSymbol: symbol }),
    amount: share.amount,
    lpBalance: balances.get(lp_minter) ?? '0',
    ...courseOf(share),
    ...(vault && { vesting: vestingBlock(vault) }),
  };
}

/** The parts by what they are: helpers newest first, vaults by campaign, LP balances by minter. */
function sorted(parts: Parts) {
  const shares: HelperPart[] = [];
  const vaults = new Map<string, VaultPart>();
  const balances = new Map<string, string>();
  for (const part of parts.values()) {
    if ('helper' in part) shares.push(part as HelperPart);
    else if ('vault' in part) vaults.set((part as VaultPart).campaign, part as VaultPart);
    else balances.set((part as WalletState).minter, (part as WalletState).balance);
  }
  const key = (share: HelperPart) => uint64Descending(share.created_lt) + share.helper;
  shares.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return { shares, vaults, balances };
}

/** What a vault still keeps back; one that was released keeps nothing back. */
function locked({ total, claimed, released }: VaultPart): string {
  return released ? '0' : (BigInt(total) - BigInt(claimed)).toString();
}

function sum(amounts: string[]): string {
  return amounts.reduce((total, amount) => total + BigInt(amount), 0n).toString();
}
