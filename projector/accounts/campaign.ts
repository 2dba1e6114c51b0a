import type { CampaignEvent, CampaignStarted } from '../../shared/contracts/campaign/event.ts';
import type { AccountRecord } from '../../shared/event-log/record.ts';
import {
  type AccountFold,
  changed,
  type FoldContext,
  type Folded,
  type Json,
  type PartChange,
} from '../account-fold.ts';

export type CampaignStatus = 'active' | 'successful' | 'failed' | 'emergency_withdrawn';

type Currency = NonNullable<NonNullable<AccountRecord['campaign']>['currency']>;

export type CampaignState = {
  code_hash: string;
  currency: { [K in keyof Currency]: Currency[K] & Json } | null;
  terms: Terms | null;
  /** Logical time of its first transaction. */
  created_lt: string;
  status: CampaignStatus;
  paused: boolean;
  total: string;
  claimed: string;
  refunded: string;
  /** Unix seconds; null where it has not happened. */
  dao_fee_claimed_at: number | null;
  finished_at: number | null;
  updated_at: number;
};

type Terms = { [K in keyof Omit<CampaignStarted, 'type'>]: CampaignStarted[K] & Json };

/** A campaign: its terms, totals and status, which change by events of its own chain alone. */
export const campaignFold: AccountFold<CampaignState, CampaignEvent> = {
  kind: 'campaign',
  version: 2,
  start: ({ codeHash, campaign }) => ({
    state: {
      code_hash: codeHash ?? '',
      currency: campaign?.currency ? { ...campaign.currency } : null,
      terms: null,
      created_lt: '0',
      status: 'active',
      paused: false,
      total: '0',
      claimed: '0',
      refunded: '0',
      dao_fee_claimed_at: null,
      finished_at: null,
      updated_at: 0,
    },
    parts: [],
  }),
  apply: (state, event, context) => {
    const next = { ...changedBy(state, event, context), updated_at: context.now };
    const folded = said(next, context);
    if (event.type === 'whitelist_changed') folded.parts.push(...whitelistParts(event.changes, context));
    return folded;
  },
  learn: (state, fact, context) =>
    fact.type === 'code_changed'
      ? said({ ...state, code_hash: fact.codeHash ?? '' }, context)
      : { state, parts: [] },
};

function changedBy(state: CampaignState, event: CampaignEvent, { now, lt }: FoldContext): CampaignState {
  switch (event.type) {
    case 'campaign_started': {
      const { type: _, vesting, ...terms } = event;
      return { ...state, terms: { ...terms, vesting: vesting && { ...vesting } }, created_lt: lt };
    }
    case 'contribution_accepted':
      return atItsCap({ ...state, total: changed(state.total, BigInt(event.amount)) }, now);
    case 'pause_set':
      return { ...state, paused: event.paused };
    case 'campaign_finalised':
      return { ...state, status: outcomeOf(state), finished_at: now };
    case 'emergency_withdrawn':
      return { ...state, status: 'emergency_withdrawn', finished_at: state.finished_at ?? now };
    case 'dao_fee_claimed':
      return { ...state, dao_fee_claimed_at: now };
    case 'lp_claimed':
      return { ...state, claimed: changed(state.claimed, BigInt(event.amount)) };
    case 'refunded':
      return { ...state, refunded: changed(state.refunded, BigInt(event.amount)) };
    case 'whitelist_changed':
      return state;
  }
}

/** An active campaign that has reached its maximum is successful at once. */
function atItsCap(state: CampaignState, now: number): CampaignState {
  const cap = state.terms?.max_total ?? '0';
  return state.status === 'active' && cap !== '0' && state.total === cap
    ? { ...state, status: 'successful', finished_at: now }
    : state;
}

function outcomeOf({ total, terms }: CampaignState): CampaignStatus {
  const enough = BigInt(total) > 0n && BigInt(total) >= BigInt(terms?.min_total ?? 0);
  return enough ? 'successful' : 'failed';
}

function said(
  state: CampaignState,
  { dao, account }: Pick<FoldContext, 'dao' | 'account'>,
): Folded<CampaignState> {
  const { terms, ...course } = state;
  if (!terms) return { state, parts: [] };
  const campaign = { dao, ...terms, ...course };
  const place = { campaign: account, created_lt: state.created_lt };
  return {
    state,
    parts: [
      { projection: 'campaigns', key: account, part: campaign },
      { projection: 'campaign_terms', key: account, part: campaign },
      { projection: 'lp_masters', key: `${dao}/${terms.lp_minter}`, part: place },
    ],
  };
}

function whitelistParts(changes: [string, boolean][], { account, lt }: FoldContext): PartChange[] {
  return changes.map(([address, listed], index) => ({
    projection: 'whitelist',
    key: `${account}/${address}`,
    part: listed ? { lt, index } : null,
  }));
}
