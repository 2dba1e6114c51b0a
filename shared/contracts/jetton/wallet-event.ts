/** What a transaction of a jetton wallet means for its balance. */
export type WalletEvent =
  | { type: 'jettons_received'; amount: string; from: string | null }
  | { type: 'jettons_sent'; amount: string; to: string }
  | { type: 'send_bounced'; amount: string }
  | { type: 'jettons_burned'; amount: string }
  | { type: 'burn_bounced'; amount: string }
  | { type: 'vote_sent'; proposal: string }
  | { type: 'vote_bounced' };
