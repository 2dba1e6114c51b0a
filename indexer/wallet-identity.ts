import { Address, Cell, type TupleItem } from '@ton/core';
import type { AccountState } from '../shared/chain/account-state.ts';
import type { ChainClient } from '../shared/chain/chain-client.ts';
import { loadWalletStorage } from '../shared/contracts/jetton/wallet-storage.ts';
import { contractOf } from '../shared/contracts/registry.ts';
import { IndexerError } from '../shared/errors.ts';
import type { Candidate } from './candidate.ts';

export interface WalletIdentity {
  owner: string;
  minter: string;
}

/**
 * Whose jetton wallet a candidate is: from the storage that it is deployed with or has, where the
 * layout is that of a registered code, else from `get_wallet_data` (TEP-74) at block `seqno`.
 * `not_yet` where the account is not active, or does not answer, and nothing tells; null where it is no jetton wallet.
 */
export async function walletIdentity(
  chain: ChainClient,
  { account, init }: Candidate,
  state: AccountState,
  seqno: number,
): Promise<WalletIdentity | 'not_yet' | null> {
  const told = fromStorage(init?.codeHash, init?.data) ?? fromStorage(state.codeHash, state.data);
  if (told) return told;
  if (state.status !== 'active') return 'not_yet';
  const answer = await chain.runMethod(seqno, account, 'get_wallet_data').catch((error: unknown) => {
    if (error instanceof IndexerError && error.code === 'METHOD_UNANSWERED') return 'not_yet' as const;
    throw error;
  });
  if (answer === 'not_yet') return answer;
  const { exitCode, result } = answer;
  if (exitCode !== 0 && exitCode !== 1) return null;
  const [owner, minter] = [addressIn(result[1]), addressIn(result[2])];
  return owner !== null && minter !== null ? { owner, minter } : null;
}

function fromStorage(codeHash: string | null | undefined, data: string | null | undefined) {
  const kind = codeHash && contractOf(codeHash)?.kind;
  // LP wallets begin with the same fields as GP wallets.
  if (!data || (kind !== 'gp_wallet' && kind !== 'lp_wallet')) return null;
  const { owner, minter } = loadWalletStorage(Cell.fromBase64(data).beginParse());
  return { owner: owner.toRawString(), minter: minter.toRawString() };
}

function addressIn(item: TupleItem | undefined): string | null {
  if (!item || !('cell' in item)) return null;
  try {
    const address = item.cell.beginParse().loadMaybeAddress();
    return address instanceof Address ? address.toRawString() : null;
  } catch {
    return null;
  }
}
