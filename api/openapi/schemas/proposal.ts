import {
  address,
  amount,
  boc,
  boolean,
  integer,
  object,
  oneOf,
  percentage,
  ref,
  type Schema,
  text,
  timestamp,
} from '../schema.ts';

const name = (description: string) => text(description);

/** The decoded payload of each type of proposal. */
const DATA: Record<string, Schema> = {
  transfer_ton: object(
    'Sends coins out of the DAO.',
    { to: address('Receiver.'), amount: amount('Nanoton.') },
    { comment: text('Comment of the transfer.') },
  ),
  transfer_jetton: object("Sends jettons out of one of the DAO's jetton wallets.", {
    jetton_wallet: address("The DAO's jetton wallet that sends."),
    to: address('Receiver (owner, not jetton wallet).'),
    amount: amount('Jettons.'),
    forward_ton_amount: amount('Nanoton forwarded to the receiver.'),
  }),
  mint_gp: object('Mints GP.', { to: address('Receiver.'), amount: amount('GP.') }),
  burn_gp: object('Burns GP.', { jetton_wallet: address('GP wallet that burns.'), amount: amount('GP.') }),
  set_success_percentage: object('Changes the share that later proposals need.', {
    success_percentage: percentage('The new share.'),
  }),
  add_plugin: object(
    'Installs a plugin.',
    {
      plugin: address('The plugin.'),
      type: oneOf(['lp_manager', 'crowdfunding', 'subaccount', 'unknown'], 'What the plugin is.'),
    },
    {
      lp_manager_index: integer('Of an LP manager.'),
      subaccount_index: integer('Of a subaccount.'),
      name: name('Of a subaccount.'),
      crowdfunding_master_hash: text('Of a crowdfunding plugin: code hash of its masters, hex.'),
    },
  ),
  remove_plugin: object('Removes a plugin.', { plugin: address('The plugin.') }),
  start_crowdfunding: object('Starts a campaign.', {
    plugin: address('The crowdfunding plugin.'),
    params: boc('Parameters of the campaign.'),
  }),
  upgrade: object('Replaces the code of a contract.', {
    target: address('The contract.'),
    code_hash: text('Hash of the new code, hex.'),
    code: boc('The new code.'),
  }),
  text: object('A decision in words; nothing is executed.', { text: text('What is decided.') }),
  custom: object('Any message sent by the DAO.', {
    to: address('Receiver.'),
    value: amount('Nanoton.'),
    body: boc('Body of the message.'),
  }),
  unknown: object('A payload that this version cannot decode: see `raw_data`.', {}),
};

const dataName = (type: string) =>
  `ProposalData${type.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
const types = Object.keys(DATA);

const proposal = object(
  'A proposal of a DAO.',
  {
    proposal_id: integer('Number of the proposal in its DAO, ascending.', { format: 'int64', minimum: 0 }),
    address: address('The proposal.'),
    dao_address: { ...address('The DAO; use `dao.address`.'), deprecated: true },
    jetton_master_address: address('Minter of the GP jetton.'),
    initiated_by_address: address('The wallet that proposed.'),
    success_amount: amount(
      'GP needed: `total_supply` x `success_percentage`, rounded up. Snapshot of the creation; "0" while the status is `mine`, until the snapshot arrives.',
    ),
    current_amount: amount('GP voted for the proposal.'),
    total_supply: amount(
      'Total supply of GP. Snapshot of the creation; "0" while the status is `mine`, until the snapshot arrives.',
    ),
    success_percentage: percentage('Share of the total supply that it needs. Snapshot of the creation.'),
    date_start: timestamp('Start of the voting.'),
    date_expire: timestamp('From this second on the proposal is `rejected` unless it was executed.'),
    type: oneOf(types, 'What the proposal does; names the shape of `data`.'),
    data: { type: 'object', description: 'The decoded payload; its fields depend on `type`.' },
    status: oneOf(
      ['active', 'rejected', 'executed', 'mine', 'unknown'],
      'First that holds: `executed`; `mine`: announced, its contract is not yet initialised; `rejected`: its time passed without enough votes (by the clock of the server); `unknown`: its payload cannot be decoded; `active`.',
    ),
    raw_data: boc('The payload cell as it is on the chain.'),
    dao: ref('Dao', 'The DAO as it is now.'),
  },
  {
    name: name('Name of the proposal.'),
    is_user_voted: boolean("Whether the token's `owner_address` voted; absent where the token has none."),
    description: text('Description of the proposal.'),
  },
);

export const proposalSchemas = {
  Proposal: {
    ...proposal,
    allOf: types.map((type) => ({
      if: { properties: { type: { const: type } } },
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
      then: { properties: { data: ref(dataName(type)) } },
    })),
  },
  ...Object.fromEntries(types.map((type) => [dataName(type), DATA[type] ?? {}])),
  Vote: object('A vote for a proposal. There is no vote against; a wallet votes once, irrevocably.', {
    proposal_address: address('The proposal.'),
    voter_address: address('The wallet that voted.'),
    amount: amount('GP that it voted with: its whole balance then.'),
    date_create: timestamp('When the vote was counted.'),
  }),
};
