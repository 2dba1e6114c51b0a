import { type BlockId, type ChainClient, type ChainPoint } from '../shared/chain/chain-client.ts';
import { accountHashOf, type ChainTransaction, chainTransaction } from '../shared/chain/transaction.ts';
import { RetryableError } from '../shared/errors.ts';

/**
 * The chain of an account from `newest` back to the last one known, exclusive (to its first
 * transaction where `known` is null): pages of at most 20, newest first. Every transaction has the
 * lt and hash that its successor (or the caller) names and is of this account; else the error is
 * `CONTINUITY_BROKEN`. Nothing before the failing page is to be used without what follows it.
 */
export async function* pagesBack(
  chain: ChainClient,
  account: string,
  newest: ChainPoint,
  known: ChainPoint | null,
): AsyncGenerator<ChainTransaction[]> {
  let wanted = newest;
  while (!isEnd(wanted, known)) {
    const answer = await chain.transactions(account, wanted);
    if (answer.length === 0) throw broken(account, wanted, 'the server has no such transaction');
    const page: ChainTransaction[] = [];
    for (const { block, transaction } of answer) {
      if (isEnd(wanted, known)) break;
      const found = read(account, block, transaction);
      if (found.lt !== wanted.lt || found.hash !== wanted.hash) {
        throw broken(account, wanted, `the server gave lt ${found.lt}, hash ${found.hash}`);
      }
      if (accountHashOf(transaction) !== account.slice(account.indexOf(':') + 1)) {
        throw broken(account, wanted, 'this transaction is of another account');
      }
      page.push(found);
      wanted = { lt: found.prevLt, hash: found.prevHash };
      assertDescends(account, found, wanted, known);
    }
    yield page;
  }
}

/** a < b, b < a or equal, as numbers. */
export function compareLt(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

function read(account: string, block: BlockId, transaction: Parameters<typeof chainTransaction>[2]) {
  try {
    return chainTransaction(account, block, transaction);
  } catch (error) {
    throw new RetryableError(
      'CONTINUITY_BROKEN',
      `The chain of ${account} cannot be read: transaction ${transaction.lt} does not parse.`,
      error,
    );
  }
}

function isEnd(wanted: ChainPoint, known: ChainPoint | null): boolean {
  return known ? wanted.lt === known.lt && wanted.hash === known.hash : wanted.lt === '0';
}

function assertDescends(
  account: string,
  found: ChainTransaction,
  previous: ChainPoint,
  known: ChainPoint | null,
): void {
  if (compareLt(previous.lt, found.lt) >= 0) {
    throw broken(account, found, `its predecessor has lt ${previous.lt}, which is not before it`);
  }
  if (known && compareLt(previous.lt, known.lt) <= 0 && !isEnd(previous, known)) {
    throw broken(
      account,
      found,
      `its predecessor is lt ${previous.lt}, but lt ${known.lt} was the last known`,
    );
  }
}

function broken(account: string, at: ChainPoint, reason: string): RetryableError {
  return new RetryableError(
    'CONTINUITY_BROKEN',
    `The chain of ${account} is broken at lt ${at.lt}, hash ${at.hash}: ${reason}. It is read again later.`,
  );
}
