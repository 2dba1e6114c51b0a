/** What a transaction of a campaign means, whatever its version. Amounts in units of its currency. */
export type CampaignEvent =
  | CampaignStarted
  | { type: 'contribution_accepted'; owner: string; amount: string }
  | { type: 'pause_set'; paused: boolean }
  | { type: 'whitelist_changed'; changes: [address: string, listed: boolean][] }
  | { type: 'campaign_finalised' }
  | { type: 'emergency_withdrawn' }
  | { type: 'dao_fee_claimed' }
  | { type: 'lp_claimed'; owner: string; amount: string }
  | { type: 'refunded'; owner: string; amount: string };

/** The terms of a campaign, which never change. Times in unix seconds, 0 for a maximum that there is not. */
export interface CampaignStarted {
  type: 'campaign_started';
  operator: string;
  lp_manager: string;
  lp_minter: string;
  destination: string;
  fee_manager: string;
  /** The minter of the collection currency; null for the native one. */
  currency: string | null;
  min_total: string;
  max_total: string;
  min_per_user: string;
  max_per_user: string;
  lp_price: string;
  start_time: number;
  end_time: number;
  management_fee: number;
  has_whitelist: boolean;
  name: string;
  description: string;
  vesting: VestingSchedule | null;
}

/** Unix seconds, seconds, seconds, basis points. */
export interface VestingSchedule {
  start: number;
  cliff: number;
  duration: number;
  tge_bps: number;
}
