import pLimit from 'p-limit';
import type { AccountState } from '../shared/chain/account-state.ts';
import type { ChainPoint } from '../shared/chain/chain-client.ts';
import { RetryableError } from '../shared/errors.ts';
import type { AccountRecord } from '../shared/event-log/record.ts';
import { compareLt, pagesBack } from './account-chain.ts';
import { newCodeOf } from './code-hash.ts';
import { type Candidate, discoverIn } from './discover.ts';
import { type Budget, pageOf, type Segment } from './segment.ts';
import type { Session } from './session.ts';
import type { TrackedAccount } from './tracked-accounts.ts';
import { type WalletIdentity, walletIdentity } from './wallet-identity.ts';

/** The masterchain block at which accounts are read, and its time in unix seconds. */
export interface Pin {
  seqno: number;
  now: number;
}

/** An account that is known to have moved, up to `tip` where that is known. */
export interface Touched {
  account: TrackedAccount;
  tip: ChainPoint | null;
}

/** What is new of one DAO, read and verified, ready to be appended. */
export interface Reading {
  dao: string;
  pin: Pin;
  discovered: { entry: TrackedAccount; record: AccountRecord | null }[];
  segments: Segment[];
  /** Their chain could not be read to `tip`: they wait there. */
  stopped: TrackedAccount[];
  /** They were waiting, but the chain has nothing more of them. */
  settled: TrackedAccount[];
  /** Candidates that turned out to be something else. */
  refused: TrackedAccount[];
}

export interface ReadProgress {
  account(): void;
  accountDone(): void;
  transactions(count: number): void;
}

/**
 * Reads the touched accounts of a DAO along their chains down to what the log holds, and from their
 * first transaction on the accounts that are discovered on the way, and theirs.
 */
export async function readTree(
  session: Session,
  dao: { address: string; minter: string },
  touched: Touched[],
  candidates: Candidate[],
  pin: Pin,
  progress?: ReadProgress,
): Promise<Reading> {
  const { chain, tracked, logger, limits } = session;
  const known = tracked.of(dao.address);
  const seen = new Set<string>();
  const budget: Budget = { bytes: limits.bytesHeld };
  const limit = pLimit(limits.accountsAtOnce);
  const reading: Reading = {
    dao: dao.address,
    pin,
    discovered: [],
    segments: [],
    stopped: [],
    settled: [],
    refused: [],
  };

  const visit = async ({ account, tip }: Touched): Promise<void> => {
    seen.add(account.account);
    if (account.candidate) {
      return examine({ ...account, parent: account.parent ?? dao.address, init: null }, account);
    }
    const state = tip ? null : await limit(() => chain.accountLite(pin.seqno, account.account));
    await follow(account, tip ?? state?.last ?? null, state);
  };

  const examine = async (candidate: Candidate, waiting?: TrackedAccount): Promise<void> => {
    progress?.account();
    const state = await limit(() => chain.account(pin.seqno, candidate.account));
    const wallet = await walletOf(candidate, state);
    if (wallet === 'refused') {
      if (waiting) reading.refused.push(waiting);
      return;
    }
    const entry = entryOf(dao.address, candidate, wallet, state);
    if (entry.candidate) {
      if (!waiting) reading.discovered.push({ entry, record: null });
      return;
    }
    reading.discovered.push({ entry, record: discoveredRecord(entry, state, pin) });
    await follow(entry, state.last, state);
  };

  const walletOf = async (candidate: Candidate, state: AccountState) => {
    if (candidate.kind !== 'gp_wallet') return null;
    const told = await limit(() => walletIdentity(chain, candidate, state, pin.seqno));
    if (told === 'not_yet' || told?.minter === dao.minter) return told;
    logger.warn(
      {
        dao: dao.address,
        account: candidate.account,
        parent: candidate.parent,
        minter: told?.minter ?? null,
      },
      'not tracked: reached by an internal transfer, but no wallet of the jetton of this DAO',
    );
    return 'refused';
  };

  const follow = async (account: TrackedAccount, tip: ChainPoint | null, state: AccountState | null) => {
    if (!tip || compareLt(tip.lt, account.last?.lt ?? '0') <= 0) {
      if (state && account.tip) reading.settled.push({ ...account, tip: null });
      return progress?.accountDone();
    }
    const segment: Segment = { account, pages: [], state };
    let found: Candidate[];
    try {
      found = await limit(() => readSegment(segment, tip));
    } catch (error) {
      if (session.signal.aborted || !(error instanceof RetryableError)) throw error;
      logger.error(
        { dao: dao.address, account: account.account, code: error.code, err: error },
        'ALARM: the chain of this account cannot be followed; it stops here and is tried again',
      );
      reading.stopped.push({ ...account, tip });
      return;
    }
    reading.segments.push(segment);
    progress?.accountDone();
    const fresh = found.filter((candidate) => {
      if (known.has(candidate.account) || seen.has(candidate.account)) return false;
      seen.add(candidate.account);
      return true;
    });
    await Promise.all(fresh.map((candidate) => examine(candidate)));
  };

  const readSegment = async (segment: Segment, tip: ChainPoint): Promise<Candidate[]> => {
    const { account } = segment;
    const found: Candidate[] = [];
    let newest = tip;
    let upgraded = false;
    for await (const page of pagesBack(chain, account.account, tip, account.last)) {
      segment.pages.push(pageOf(page, newest, budget));
      const oldest = page.at(-1);
      if (oldest) newest = { lt: oldest.prevLt, hash: oldest.prevHash };
      for (const transaction of page) {
        found.push(...discoverIn(account.kind, transaction));
        upgraded ||= newCodeOf(account.kind, transaction) !== null;
      }
      progress?.transactions(page.length);
    }
    if (upgraded && !segment.state) {
      // Compared only where the state is that of the segment's end, which a hint alone does not promise.
      const state = await chain.account(pin.seqno, account.account);
      if (state.last?.lt === tip.lt) segment.state = state;
    }
    return found.reverse();
  };

  const visits = touched.map(visit);
  const named = candidates.filter(({ account }) => !known.has(account) && !seen.has(account));
  for (const { account } of named) seen.add(account);
  try {
    await Promise.all([...visits, ...named.map((candidate) => examine(candidate))]);
  } catch (error) {
    limit.clearQueue();
    throw error;
  }
  return reading;
}

function entryOf(
  dao: string,
  { account, kind, parent }: Candidate,
  wallet: WalletIdentity | 'not_yet' | null,
  state: AccountState,
): TrackedAccount {
  const unread = { dao, account, kind, parent, codeHash: null, last: null };
  return wallet === 'not_yet'
    ? { ...unread, tip: null, wallet: null, candidate: true }
    : { ...unread, tip: state.last, wallet };
}

/** The fact that an account came under tracking. */
export function discoveredRecord(entry: TrackedAccount, state: AccountState, pin: Pin): AccountRecord {
  return {
    version: 1,
    type: 'account',
    dao: entry.dao,
    account: entry.account,
    reason: 'discovered',
    kind: entry.kind,
    parent: entry.parent,
    codeHash: state.codeHash,
    data: state.data,
    wallet: entry.wallet,
    campaign: null,
    seqno: pin.seqno,
    now: pin.now,
  };
}
