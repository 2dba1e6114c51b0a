/** What a transaction of a helper means. Amounts in units of the campaign's currency. */
export type HelperEvent =
  | { type: 'helper_deployed'; campaign: string; owner: string }
  | { type: 'contributed'; amount: string }
  | { type: 'lp_claim_requested' }
  | { type: 'lp_claim_bounced' }
  | { type: 'refund_requested' }
  | { type: 'refund_bounced' };
