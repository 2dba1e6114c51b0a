/** What a story left, as far as the paths of the API name it. */
interface Named {
  campaigns: { address: string; dao: string; currency: string; status: string }[];
  proposals: { address: string; dao: string }[];
  wallets: { address: string; roles: string[]; campaign?: string }[];
}

/** A path of each of the ten endpoints, about one DAO of the story. */
export function everyEndpoint(dao: string, { campaigns, proposals, wallets }: Named): string[] {
  const proposal = proposals.find((one) => one.dao === dao);
  const wallet = (role: string) => wallets.find(({ roles }) => roles.includes(role));
  const open = campaigns.find(({ currency, status }) => currency === 'native' && status === 'active');
  const [claimable, vesting] = [wallet('claimable'), wallet('vesting')];
  const base = `daos/${dao}`;
  return [
    base,
    `${base}/holders`,
    `${base}/proposals`,
    `${base}/proposals/${proposal?.address}/votes`,
    `${base}/crowdfundings?limit=100`,
    `${base}/lp-masters-with-lp-holders`,
    `${base}/participants/${vesting?.address}`,
    `crowdfunding/campaigns/${open?.address}/contribution-link?amount=2000000000`,
    `crowdfunding/campaigns/${claimable?.campaign}/claim-link?owner_address=${claimable?.address}`,
    `crowdfunding/campaigns/${vesting?.campaign}/vesting-claim-link?owner_address=${vesting?.address}`,
  ];
}
