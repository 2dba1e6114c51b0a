import type { AccountState } from '../chain/account-state.ts';
import type { ChainStore } from '../chain/chain-store.ts';

/** An account with its code and data, as `GET /block/{seqno}/{address}` shows it. */
export function accountBody(state: AccountState | undefined, store: ChainStore) {
  const code = state?.codeHash === undefined ? undefined : store.code(state.codeHash);
  return {
    state:
      state?.type === 'active'
        ? { type: 'active', code: base64(code), data: base64(state.data) }
        : otherState(state),
    ...common(state),
  };
}

/** The same with hashes instead of cells. */
export function liteAccountBody(state: AccountState | undefined) {
  return {
    state:
      state?.type === 'active'
        ? {
            type: 'active',
            codeHash: Buffer.from(state.codeHash ?? '', 'hex').toString('base64'),
            dataHash: state.dataHash ?? '',
          }
        : otherState(state),
    ...common(state),
  };
}

function otherState(state: AccountState | undefined) {
  return state?.type === 'frozen'
    ? { type: 'frozen', stateHash: state.frozenHash ?? '' }
    : { type: 'uninit' };
}

function common(state: AccountState | undefined) {
  if (!state) {
    return { balance: { coins: '0', currencies: {} }, last: null, storageStat: null };
  }
  return {
    balance: { coins: state.balance, currencies: {} },
    last: { lt: state.lt, hash: state.hash },
    storageStat: {
      lastPaid: state.lastPaid,
      duePayment: state.duePayment ?? null,
      used: { bits: state.usedBits, cells: state.usedCells },
    },
  };
}

function base64(bytes: Uint8Array | undefined): string | null {
  return bytes ? Buffer.from(bytes).toString('base64') : null;
}
