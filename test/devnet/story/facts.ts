import type { WalletVersion } from './actor.ts';
import type { CampaignStatus } from './campaign-state.ts';

/** What a story left on the chain, for whoever wants to look at it. Addresses are raw. */
export interface StoryFacts {
  seed: string;
  daos: { address: string; version: '6.0' | '6.1'; name: string; owner: string; minter: string }[];
  /** `type` and `status` as the API names them. */
  proposals: { address: string; dao: string; id: string; type: string; status: string }[];
  /** In the order of their creation; `status` as the API names it. */
  campaigns: {
    address: string;
    dao: string;
    currency: 'native' | 'jetton';
    status: CampaignStatus;
    hasVesting: boolean;
    hasWhitelist: boolean;
  }[];
  /** `campaign`: where a role of `whitelisted`, `claimable` or `vesting` is played. */
  wallets: {
    address: string;
    mnemonic: string;
    version: WalletVersion;
    roles: string[];
    campaign?: string;
  }[];
  /** GP wallets with a balance above zero, of all DAOs together, and by DAO. */
  holders: number;
  holdersByDao: Record<string, number>;
}
