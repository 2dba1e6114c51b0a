import type { WalletEvent } from '../../shared/contracts/jetton/wallet-event.ts';
import { type AccountFold, changed, type FoldContext, type Folded } from '../account-fold.ts';

export type WalletState = { owner: string; balance: string };

/** A GP wallet: what its owner holds, votes included (they stay in the balance). */
export const gpWalletFold: AccountFold<WalletState, WalletEvent> = {
  kind: 'gp_wallet',
  version: 1,
  start: (record) => {
    if (!record.wallet) throw new TypeError('a jetton wallet was discovered without its owner');
    return said({ owner: record.wallet.owner, balance: '0' }, record);
  },
  apply: (state, event, context) => {
    const by = balanceChange(event);
    return by === 0n
      ? { state, parts: [] }
      : said({ ...state, balance: changed(state.balance, by) }, context);
  },
};

function balanceChange(event: WalletEvent): bigint {
  switch (event.type) {
    case 'jettons_received':
    case 'send_bounced':
    case 'burn_bounced':
      return BigInt(event.amount);
    case 'jettons_sent':
    case 'jettons_burned':
      return -BigInt(event.amount);
    case 'vote_sent':
    case 'vote_bounced':
      return 0n;
  }
}

function said(
  state: WalletState,
  { dao, account }: Pick<FoldContext, 'dao' | 'account'>,
): Folded<WalletState> {
  const part = state.balance === '0' ? null : { ...state };
  return { state, parts: [{ projection: 'holders', key: `${dao}/${account}`, part }] };
}
