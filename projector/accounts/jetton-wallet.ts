import type { ContractKind } from '../../shared/contracts/contract-kind.ts';
import type { WalletEvent } from '../../shared/contracts/jetton/wallet-event.ts';
import { type AccountFold, changed, type FoldContext, type PartChange } from '../account-fold.ts';

export type WalletState = { owner: string; minter: string; balance: string };

/** Where a wallet of that state has something to say. */
type Say = (state: WalletState, place: Pick<FoldContext, 'dao' | 'account'>) => PartChange[];

/** A jetton wallet: what its owner holds, GP that was voted with included (it stays in the balance). */
function jettonWalletFold(kind: ContractKind, say: Say): AccountFold<WalletState, WalletEvent> {
  return {
    kind,
    version: 1,
    start: (record) => {
      if (!record.wallet) throw new TypeError('a jetton wallet was discovered without its owner');
      const state = { ...record.wallet, balance: '0' };
      return { state, parts: say(state, record) };
    },
    apply: (before, event, context) => {
      const by = balanceChange(event);
      if (by === 0n) return { state: before, parts: [] };
      const state = { ...before, balance: changed(before.balance, by) };
      return { state, parts: say(state, context) };
    },
  };
}

export const gpWalletFold = jettonWalletFold('gp_wallet', (state, { dao, account }) => [
  { projection: 'holders', key: `${dao}/${account}`, part: unlessEmpty(state) },
]);

export const lpWalletFold = jettonWalletFold('lp_wallet', (state, { dao, account }) => [
  { projection: 'lp_holders', key: `${dao}/${account}`, part: unlessEmpty(state) },
  { projection: 'participants', key: `${dao}/${state.owner}`, part: unlessEmpty(state) },
]);

function unlessEmpty(state: WalletState): WalletState | null {
  return state.balance === '0' ? null : { ...state };
}

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
