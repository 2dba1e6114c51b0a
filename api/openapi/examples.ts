/** Values that the examples of the OpenAPI document share. */
export const address = (digit: string) => `0:${digit.repeat(64)}`;

export const dao = {
  address: address('a'),
  owner_address: address('b'),
  name: 'Harbour Guild',
  jetton_address: address('c'),
  jetton_metadata: { name: 'Harbour', symbol: 'HRB', decimals: '9' },
  success_percentage: 51,
  total_supply: '1000000000000000',
  date_create: '2025-01-15T08:30:00Z',
  plugins: [
    {
      address: address('d'),
      type: 'lp_manager',
      lp_manager_index: 0,
      lp_jetton_master_address: address('e'),
      lp_token_name: 'Harbour LP',
      lp_token_symbol: 'HLP',
      lp_token_image: null,
      subaccount_index: null,
      subaccount_name: null,
    },
  ],
  crowdfunding_status: 'enabled',
};
