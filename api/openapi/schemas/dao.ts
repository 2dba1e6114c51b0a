import {
  address,
  amount,
  arrayOf,
  integer,
  nullable,
  object,
  oneOf,
  percentage,
  ref,
  text,
  timestamp,
} from '../schema.ts';

export const daoSchemas = {
  Dao: object('A DAO: its identity and its configuration.', {
    address: address('The DAO.'),
    owner_address: address('The owner of the DAO.'),
    name: text('Name of the DAO.'),
    jetton_address: address('Minter of the GP jetton (the governance token).'),
    jetton_metadata: {
      type: 'object',
      additionalProperties: true,
      description: 'TEP-64 metadata of the GP jetton, as found.',
    },
    success_percentage: percentage('Share of the total supply that a proposal needs.'),
    total_supply: amount('Total supply of the GP jetton.'),
    date_create: timestamp('When the DAO was deployed.'),
    plugins: arrayOf(ref('Plugin'), 'The plugins installed, in the order of their installation.'),
    crowdfunding_status: oneOf(
      ['legacy', 'enabled', 'ready'],
      '`legacy`: contracts before 6.1, no crowdfunding; `enabled`: 6.1 or later; `ready`: a crowdfunding plugin and an LP manager are installed, a campaign can start.',
    ),
  }),
  Plugin: object(
    'A plugin of a DAO.',
    {
      address: address('The plugin.'),
      type: oneOf(
        ['lp_manager', 'crowdfunding', 'subaccount', 'unknown'],
        'What the plugin is; `unknown` for a code that this version does not know.',
      ),
    },
    {
      lp_manager_index: nullable(
        integer('Index of an LP manager (contracts 6.1 and later); null for other types.'),
      ),
      lp_jetton_master_address: nullable(address('LP jetton master of an LP manager; null for other types.')),
      lp_token_name: nullable(text('Name of the LP jetton.')),
      lp_token_symbol: nullable(text('Symbol of the LP jetton.')),
      lp_token_image: nullable(text('Image (URL) of the LP jetton.')),
      subaccount_index: nullable(integer('Index of a subaccount; null for other types.')),
      subaccount_name: nullable(text('Name of a subaccount; null for other types.')),
      crowdfunding_master_hash: text(
        'Code hash of the crowdfunding masters that a crowdfunding plugin deploys, hex.',
      ),
    },
  ),
  Holder: object('A holder of the GP jetton. Holders with balance 0 are not listed.', {
    jetton_wallet_address: address("The holder's GP jetton wallet."),
    owner_address: address('The holder.'),
    balance: amount('Balance in GP, what is locked in votes included.'),
  }),
};
