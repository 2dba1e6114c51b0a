import type { WalletState } from '../accounts/jetton-wallet.ts';
import type { Projection } from '../projection.ts';
import { amountDescending } from '../sort-key.ts';

/** Endpoint 2: who holds the GP jetton, largest balance first, then by owner. */
export const holders: Projection = {
  name: 'holders',
  version: 1,
  render: (key, parts) => {
    const [dao, wallet] = key.split('/') as [string, string];
    const part = parts.get(wallet) as WalletState | undefined;
    if (!part) return null;
    return {
      body: { jetton_wallet_address: wallet, owner_address: part.owner, balance: part.balance },
      entries: [{ list: `holders/${dao}`, sortKey: `${amountDescending(part.balance)}/${part.owner}` }],
    };
  },
};
