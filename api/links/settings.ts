/** What links depend on beside the chain's state. */
export interface LinkSettings {
  /** Form of the addresses in links. */
  network: 'mainnet' | 'testnet';
  /** `https://t.me/<bot>/<app>`; links into the mini app are left out where absent. */
  miniAppUrl?: string | undefined;
  /** The owner's wallet of a jetton, addresses raw. Rejects where the chain cannot tell it in time. */
  resolveJettonWallet: (minter: string, owner: string) => Promise<string>;
}

/** For an API that was given no chain to ask. */
export const defaultLinkSettings: LinkSettings = {
  network: 'mainnet',
  resolveJettonWallet: () => Promise.reject(new Error('no chain client is configured')),
};
