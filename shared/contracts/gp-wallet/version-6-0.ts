import { type ContractVersion, on, onBounced } from '../contract-version.ts';
import { castVote } from '../governance/cast-vote.ts';
import { vote } from '../governance/vote.ts';
import { tep74Wallet } from '../jetton/tep-74-wallet.ts';
import type { WalletEvent } from '../jetton/wallet-event.ts';

/** GP wallet: a TEP-74 wallet that votes with its balance. */
export const gpWallet60: ContractVersion<WalletEvent> = {
  ...tep74Wallet,
  kind: 'gp_wallet',
  version: '6.0',
  receives: [
    ...tep74Wallet.receives,
    on(vote, ({ proposal }) => ({ type: 'vote_sent', proposal: proposal.toRawString() })),
  ],
  bounces: [...(tep74Wallet.bounces ?? []), onBounced(castVote, () => ({ type: 'vote_bounced' }))],
};
