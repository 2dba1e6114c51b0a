/** The types and statuses that a story has to show, as the API names them. */
export const proposalActionTypes = [
  'transfer_ton',
  'transfer_jetton',
  'mint_gp',
  'burn_gp',
  'set_success_percentage',
  'add_plugin',
  'remove_plugin',
  'start_crowdfunding',
  'upgrade',
  'text',
  'custom',
  'unknown',
] as const;

export const statuses = ['mine', 'active', 'executed', 'rejected', 'unknown'] as const;
