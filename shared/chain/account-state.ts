import { Cell } from '@ton/core';
import type { ChainPoint } from './chain-client.ts';

/** An account as it stands at a masterchain block. */
export interface AccountState {
  status: 'active' | 'uninit' | 'frozen';
  /** Hex; null where there is no code. */
  codeHash: string | null;
  /** Storage as a base64 BOC; null where there is none, or where it was not asked for. */
  data: string | null;
  /** Its newest transaction; null where it never had one. */
  last: ChainPoint | null;
}

interface RawAccount<State> {
  state: State;
  last: { lt: string; hash: string } | null;
}

type RawState =
  | { type: 'active'; code: string | null; data: string | null }
  | { type: 'uninit' }
  | { type: 'frozen' };

type RawLiteState = { type: 'active'; codeHash: string } | { type: 'uninit' } | { type: 'frozen' };

export function fullAccountState({ state, last }: RawAccount<RawState>): AccountState {
  return {
    status: state.type,
    codeHash: state.type === 'active' && state.code !== null ? hashOf(state.code) : null,
    data: state.type === 'active' ? state.data : null,
    last: pointOf(last),
  };
}

export function liteAccountState({ state, last }: RawAccount<RawLiteState>): AccountState {
  return {
    status: state.type,
    codeHash: state.type === 'active' ? hex(state.codeHash) : null,
    data: null,
    last: pointOf(last),
  };
}

// The wallets of a jetton share one code: parsing it for each of them would cost more than all else.
const hashes = new Map<string, string>();
const hashesKept = 64;

function hashOf(code: string): string {
  let hash = hashes.get(code);
  if (hash === undefined) {
    hash = Cell.fromBase64(code).hash().toString('hex');
    if (hashes.size >= hashesKept) hashes.clear();
    hashes.set(code, hash);
  }
  return hash;
}

function pointOf(last: { lt: string; hash: string } | null): ChainPoint | null {
  return last && { lt: last.lt, hash: hex(last.hash) };
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}
