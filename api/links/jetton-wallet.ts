import { Address, beginCell } from '@ton/core';
import type { ChainClient } from '../../shared/chain/chain-client.ts';
import { RetryableError } from '../../shared/errors.ts';
import { Lru } from '../lru.ts';

export interface ResolverOptions {
  /** How long a caller waits; 5000 where absent. */
  timeoutMs?: number;
  /** How many wallets are remembered; 10000 where absent. */
  capacity?: number;
  /** How long; a minter may be upgraded. An hour where absent. */
  ttlMs?: number;
  /** Questions in flight, beyond which nobody waits: the chain does not answer then. 100 where absent. */
  inFlight?: number;
  /** Milliseconds; the machine's monotonic clock where absent. */
  clock?: () => number;
}

type Resolve = (minter: string, owner: string) => Promise<string>;

/**
 * Asks a jetton's minter for the wallet of an owner (TEP-74, `get_wallet_address`) at the head of the
 * chain. Answers are remembered, failures are not; callers of the same wallet share one question.
 */
export function createJettonWalletResolver(
  chain: Pick<ChainClient, 'head' | 'runMethod'>,
  { timeoutMs = 5000, capacity = 10_000, ttlMs = 3_600_000, inFlight = 100, ...rest }: ResolverOptions = {},
): Resolve {
  const { clock = () => performance.now() } = rest;
  const known = new Lru<{ wallet: string; until: number }>(capacity);
  const asked = new Map<string, Promise<string>>();

  return (minter, owner) => {
    const key = `${minter}/${owner}`;
    const entry = known.get(key);
    if (entry !== undefined && clock() < entry.until) return Promise.resolve(entry.wallet);
    let answer = asked.get(key);
    if (answer === undefined) {
      if (asked.size >= inFlight) return Promise.reject(unavailable(`${inFlight} questions are unanswered`));
      answer = ask(chain, minter, owner)
        .then((wallet) => {
          known.set(key, { wallet, until: clock() + ttlMs });
          return wallet;
        })
        .finally(() => asked.delete(key));
      asked.set(key, answer);
    }
    return inTime(answer, timeoutMs);
  };
}

async function ask(
  chain: Pick<ChainClient, 'head' | 'runMethod'>,
  minter: string,
  owner: string,
): Promise<string> {
  const { seqno } = await chain.head();
  const argument = beginCell().storeAddress(Address.parseRaw(owner)).endCell();
  const { exitCode, result } = await chain.runMethod(seqno, minter, 'get_wallet_address', [
    { type: 'slice', cell: argument },
  ]);
  const [wallet] = result;
  // 1 is success too: the alternative one of the TVM.
  if ((exitCode !== 0 && exitCode !== 1) || (wallet?.type !== 'slice' && wallet?.type !== 'cell'))
    throw unavailable(`get_wallet_address of ${minter} ended with ${exitCode}`);
  return wallet.cell.beginParse().loadAddress().toRawString();
}

/** The question goes on for those who come later; who waits is let go. */
function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable(`no answer within ${timeoutMs} ms`)), timeoutMs);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function unavailable(reason: string): RetryableError {
  return new RetryableError(
    'JETTON_WALLET_UNAVAILABLE',
    `The jetton wallet could not be resolved: ${reason}`,
  );
}
