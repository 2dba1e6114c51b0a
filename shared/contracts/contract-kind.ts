/** The roles that a tracked contract can have; which code plays a role is the registry's matter. */
export const contractKinds = [
  'dao',
  'gp_minter',
  'gp_wallet',
  'proposal',
  'crowdfunding',
  'campaign',
  'helper',
  'lp_manager',
  'lp_minter',
  'lp_wallet',
  'vesting_vault',
  'subaccount',
  'plugin',
] as const;

export type ContractKind = (typeof contractKinds)[number];
