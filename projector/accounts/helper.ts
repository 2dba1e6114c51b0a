import type { HelperEvent } from '../../shared/contracts/helper/event.ts';
import {
  type AccountFold,
  changed,
  type FoldContext,
  type Folded,
  type JsonObject,
} from '../account-fold.ts';

export type HelperState = {
  campaign: { address: string; name: string; lp_minter: string; native: boolean; symbol: string | null };
  owner: string;
  /** Gross: kept after a refund. */
  amount: string;
  /** Logical time of its first transaction. */
  created_lt: string;
  /** Unix seconds; null where it has not happened. */
  created_at: number;
  claimed_at: number | null;
  refunded_at: number | null;
};

/** A helper: what one wallet has contributed to one campaign, and whether it was claimed or refunded. */
export const helperFold: AccountFold<HelperState, HelperEvent> = {
  kind: 'helper',
  version: 2,
  start: ({ campaign }) => {
    if (!campaign) throw new TypeError('a helper was discovered without its campaign');
    const { address, name, lpMinter, currency } = campaign;
    return {
      state: {
        campaign: { address, name, lp_minter: lpMinter, native: !currency, symbol: currency?.symbol ?? null },
        owner: '',
        amount: '0',
        created_lt: '0',
        created_at: 0,
        claimed_at: null,
        refunded_at: null,
      },
      parts: [],
    };
  },
  apply: (state, event, context) => said(changedBy(state, event, context), context),
};

function changedBy(state: HelperState, event: HelperEvent, { now, lt }: FoldContext): HelperState {
  switch (event.type) {
    case 'helper_deployed':
      return { ...state, owner: event.owner, created_at: now, created_lt: lt };
    case 'contributed':
      return { ...state, amount: changed(state.amount, BigInt(event.amount)) };
    case 'lp_claim_requested':
      return { ...state, claimed_at: now };
    case 'lp_claim_bounced':
      return { ...state, claimed_at: null };
    case 'refund_requested':
      return { ...state, refunded_at: now };
    case 'refund_bounced':
      return { ...state, refunded_at: null };
  }
}

/** One whose contributions were all refused takes no part in the campaign. */
function said(state: HelperState, { dao, account }: FoldContext): Folded<HelperState> {
  const { campaign, owner } = state;
  const part: JsonObject | null = state.amount === '0' ? null : { ...state, helper: account };
  const share = `${campaign.address}/${owner}`;
  return {
    state,
    parts: [
      { projection: 'helpers', key: share, part },
      { projection: 'contributors', key: share, part: part && { amount: state.amount } },
      { projection: 'participants', key: `${dao}/${owner}`, part },
    ],
  };
}
