import type { CampaignEvent } from '../../shared/contracts/campaign/event.ts';
import type { DaoEvent } from '../../shared/contracts/dao/event.ts';
import type { HelperEvent } from '../../shared/contracts/helper/event.ts';
import type { MinterEvent } from '../../shared/contracts/jetton/minter-event.ts';
import type { WalletEvent } from '../../shared/contracts/jetton/wallet-event.ts';
import type { ProposalEvent } from '../../shared/contracts/proposal/event.ts';
import type { VaultEvent } from '../../shared/contracts/vesting-vault/event.ts';
import {
  address,
  amount,
  arrayOf,
  boc,
  boolean,
  hash,
  integer,
  nullable,
  object,
  type Schema,
  text,
} from './json-schema.ts';

type DecodedEvent =
  | DaoEvent
  | ProposalEvent
  | CampaignEvent
  | HelperEvent
  | VaultEvent
  | MinterEvent
  | WalletEvent;

/** Every event that a contract version can tell, with every field of it: the compiler holds the list complete. */
type DecodedData = {
  [Type in DecodedEvent['type']]: {
    [Field in Exclude<keyof Extract<DecodedEvent, { type: Type }>, 'type'>]: Schema;
  };
};

const plugin = object({
  address,
  plugin_type: text,
  index: nullable(integer),
  name: nullable(text),
  crowdfunding_master_hash: nullable(hash),
});
const schedule = object({ start: integer, cliff: integer, duration: integer, tge_bps: integer });
const strings: Schema = { type: 'object', additionalProperties: text };

const decoded: DecodedData = {
  dao_deployed: {
    owner: address,
    jetton_minter: address,
    basis_points: integer,
    name: text,
    plugins: arrayOf(plugin),
  },
  proposal_created: { initiator: address, proposal: address },
  proposal_executed: { proposal_id: amount, action: text },
  success_percentage_set: { basis_points: integer },
  plugin_added: { plugin },
  plugin_removed: { address },
  code_upgraded: { code_hash: hash },

  proposal_deployed: { dao: address, proposal_id: amount },
  proposal_announced: {
    initiator: address,
    jetton_minter: address,
    basis_points: integer,
    duration: integer,
    name: text,
    description: text,
    payload: boc,
  },
  voting_opened: { total_supply: amount },
  vote_cast: { voter: address, weight: amount },
  proposal_accepted: {},

  campaign_started: {
    operator: address,
    lp_manager: address,
    lp_minter: address,
    destination: address,
    fee_manager: address,
    currency: nullable(address),
    min_total: amount,
    max_total: amount,
    min_per_user: amount,
    max_per_user: amount,
    lp_price: amount,
    start_time: integer,
    end_time: integer,
    management_fee: integer,
    has_whitelist: boolean,
    name: text,
    description: text,
    vesting: nullable(schedule),
  },
  contribution_accepted: { owner: address, amount },
  pause_set: { paused: boolean },
  whitelist_changed: {
    changes: arrayOf({ type: 'array', prefixItems: [address, boolean], minItems: 2, maxItems: 2 }),
  },
  campaign_finalised: {},
  emergency_withdrawn: {},
  dao_fee_claimed: {},
  lp_claimed: { owner: address, amount },
  refunded: { owner: address, amount },

  helper_deployed: { campaign: address, owner: address },
  contributed: { amount },
  lp_claim_requested: {},
  lp_claim_bounced: {},
  refund_requested: {},
  refund_bounced: {},

  vault_deployed: { campaign: address, owner: address },
  vault_opened: { total: amount, schedule },
  vault_initialised: {},
  vested_claimed: { amount },
  vested_claim_bounced: { amount },
  vault_released: {},

  minter_deployed: {
    total_supply: amount,
    admin: nullable(address),
    metadata: strings,
    wallet_code_hash: hash,
  },
  minted: { to: address, amount },
  mint_bounced: { amount },
  supply_burned: { owner: address, amount },
  admin_changed: { admin: address },
  content_changed: { metadata: strings },

  jettons_received: { amount, from: nullable(address) },
  jettons_sent: { amount, to: address },
  send_bounced: { amount },
  jettons_burned: { amount },
  burn_bounced: { amount },
  vote_sent: { proposal: address },
  vote_bounced: {},
};

const currency = object({
  minter: address,
  symbol: nullable(text),
  decimals: nullable(integer),
  image: nullable(text),
});

/** Facts of the log that are no transactions. */
const facts = {
  discovered: {
    parent: nullable(address),
    wallet: nullable(object({ owner: address, minter: address })),
    campaign: nullable(object({ address, name: text, lp_minter: address, currency: nullable(currency) })),
  },
  code_changed: {},
  jetton_metadata: { uri: text, metadata: { type: 'object' } },
  dao_status: { status: { type: 'string', enum: ['tracked', 'complete', 'stalled', 'untracked'] } },
};

const message = {
  message: nullable(text),
  opcode: nullable({ type: 'string', pattern: '^0x[0-9a-f]{8}$' }),
  bounced: boolean,
  body: nullable(boc),
};

/** Transactions that tell no event, each with its in-message. */
const undecoded = {
  unknown: message,
  undecodable: { ...message, reason: text },
  failed: message,
  no_event: message,
};

/** The fields of `data` for every value of `event`. */
export const eventData: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  ...decoded,
  ...facts,
  ...undecoded,
};
