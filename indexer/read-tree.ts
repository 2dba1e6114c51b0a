import pLimit from 'p-limit';
import type { AccountState } from '../shared/chain/account-state.ts';
import type { ChainPoint } from '../shared/chain/chain-client.ts';
import type { ContractKind } from '../shared/contracts/contract-kind.ts';
import { RetryableError } from '../shared/errors.ts';
import type { AccountRecord, CampaignFacts } from '../shared/event-log/record.ts';
import { compareLt, pagesBack } from './account-chain.ts';
import type { Candidate } from './candidate.ts';
import { newCodeOf } from './code-hash.ts';
import { discoverIn } from './discover.ts';
import { type Budget, pageOf, type Segment } from './segment.ts';
import type { Session } from './session.ts';
import type { TrackedAccount } from './tracked-accounts.ts';
import { candidateVerifier, type Verified } from './verify-candidate.ts';

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
  dao: string,
  touched: Touched[],
  candidates: Candidate[],
  pin: Pin,
  progress?: ReadProgress,
): Promise<Reading> {
  const { chain, tracked, logger, limits } = session;
  const known = tracked.of(dao);
  const seen = new Map<string, ContractKind>();
  const verify = candidateVerifier(session, dao, pin.seqno);
  const budget: Budget = { bytes: limits.bytesHeld };
  const limit = pLimit(limits.accountsAtOnce);
  const reading: Reading = {
    dao,
    pin,
    discovered: [],
    segments: [],
    stopped: [],
    settled: [],
    refused: [],
  };

  const visit = async ({ account, tip }: Touched): Promise<void> => {
    seen.set(account.account, account.kind);
    if (account.candidate) {
      const parent = account.parent ?? dao;
      return examine({ ...account, parent, init: null }, known.get(parent), account);
    }
    const state = tip ? null : await limit(() => chain.accountLite(pin.seqno, account.account));
    await follow(account, tip ?? state?.last ?? null, state);
  };

  const examine = async (
    candidate: Candidate,
    parent: TrackedAccount | undefined,
    waiting?: TrackedAccount,
  ): Promise<void> => {
    progress?.account();
    const state = await limit(() => chain.account(pin.seqno, candidate.account));
    const verified = await limit(() => verify(candidate, parent, state));
    if (!verified) {
      if (waiting) reading.refused.push(waiting);
      return;
    }
    const entry = entryOf(dao, candidate, verified, state);
    if (entry.candidate) {
      if (!waiting) reading.discovered.push({ entry, record: null });
      return;
    }
    reading.discovered.push({ entry, record: discoveredRecord(entry, state, pin, verified.campaign) });
    await follow(entry, state.last, state);
  };

  const isNew = ({ account, kind, parent }: Candidate): boolean => {
    const role = known.get(account)?.kind ?? seen.get(account);
    if (role === undefined) seen.set(account, kind);
    else if (role !== kind) {
      logger.warn({ dao, account, parent, role, also: kind }, 'tracked in the first of its roles alone');
    }
    return role === undefined;
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
        { dao, account: account.account, code: error.code, err: error },
        'ALARM: the chain of this account cannot be followed; it stops here and is tried again',
      );
      reading.stopped.push({ ...account, tip });
      return;
    }
    reading.segments.push(segment);
    progress?.accountDone();
    await Promise.all(found.filter(isNew).map((candidate) => examine(candidate, account)));
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

  const examineNamed = async (named: Candidate[]): Promise<void> => {
    await Promise.all(named.filter(isNew).map((candidate) => examine(candidate, known.get(dao))));
  };
  try {
    await Promise.all([
      ...touched.map(visit),
      examineNamed(candidates.filter(({ kind }) => kind === 'gp_minter')),
    ]);
    // A plugin's role is the first that the DAO's chain tells, whenever the indexer came to it.
    await examineNamed(candidates.filter(({ kind }) => kind !== 'gp_minter'));
  } catch (error) {
    limit.clearQueue();
    throw error;
  }
  return reading;
}

function entryOf(
  dao: string,
  { account, kind, parent }: Candidate,
  { wallet, campaign }: Verified,
  state: AccountState,
): TrackedAccount {
  const unread = { dao, account, kind, parent, codeHash: null, last: null };
  if (wallet === 'not_yet') return { ...unread, tip: null, wallet: null, candidate: true };
  const facts = kind === 'campaign' && campaign ? { campaign } : {};
  return { ...unread, tip: state.last, wallet, ...facts };
}

/** The fact that an account came under tracking. */
export function discoveredRecord(
  entry: TrackedAccount,
  state: AccountState,
  pin: Pin,
  campaign: CampaignFacts | null,
): AccountRecord {
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
    campaign,
    seqno: pin.seqno,
    now: pin.now,
  };
}
