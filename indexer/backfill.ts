import type { AppendBatch } from '../shared/event-log/event-log.ts';
import type { DaoRecord } from '../shared/event-log/record.ts';
import { daoStorageOf, namedInStorage } from './discover-dao.ts';
import { emit } from './emit.ts';
import { discoveredRecord, type Pin, type Reading, readTree } from './read-tree.ts';
import type { Session } from './session.ts';
import { accountChange, type DaoEntry, daoChange, type TrackedAccount } from './tracked-accounts.ts';

/** How far the backfill of a DAO is. Accounts and transactions become known as it reads. */
export interface BackfillProgress {
  dao: string;
  /** The masterchain block that it reads up to. */
  seqno: number;
  accounts: { done: number; known: number };
  /** `done`: in the log. */
  transactions: { done: number; known: number };
  /** Transactions in a second, read or appended, since it began. */
  rate: number;
  /** Seconds; null while nothing is known to go by. */
  eta: number | null;
  /** All that is known is in the log. */
  ended: boolean;
}

/**
 * Brings a DAO into the log up to a pinned head, whatever part of it is there already: the same steps
 * start it, resume it after a stop, and catch up after a long absence. Gives the pinned block, or
 * null (and nothing was appended) where the address is not that of a DAO.
 */
export async function backfill(
  session: Session,
  dao: string,
  onProgress: (progress: BackfillProgress) => void = () => undefined,
): Promise<Pin | null> {
  const pin = await session.chain.head();
  const storage = await begin(session, dao, pin);
  if (!storage) return null;
  const progress = progressOf(session, dao, pin, onProgress);
  const touched = [...session.tracked.of(dao).values()].map((account) => ({ account, tip: null }));
  progress.known(touched.length);
  const reading = await readTree(session, dao, touched, namedInStorage(dao, storage), pin, progress);
  await emit(session, [reading], completion(session, dao, [reading]), progress.appended);
  progress.report(true);
  return pin;
}

/**
 * The record `complete`, where with these readings every account of the DAO is read to its tip;
 * `stalled`, where it was and one of them cannot be followed any more.
 */
export function completion(session: Session, dao: string, readings: Reading[]): AppendBatch {
  const entry = session.tracked.daos.get(dao);
  const own = readings.filter((reading) => reading.dao === dao);
  const read = new Set(
    own.flatMap(({ segments, settled }) => [
      ...segments.map(({ account }) => account.account),
      ...settled.map(({ account }) => account),
    ]),
  );
  const stopped = own.some((reading) => reading.stopped.length > 0);
  if (entry?.complete && stopped) return standing(dao, 'stalled', { ...entry, complete: false });
  const waiting = stopped || session.tracked.pendingOf(dao).some(({ account }) => !read.has(account));
  if (!entry || entry.complete || waiting) return { records: [], state: [] };
  return standing(dao, 'complete', { ...entry, complete: true });
}

function standing(dao: string, told: DaoRecord['status'], entry: DaoEntry): AppendBatch {
  return { records: [daoRecord(dao, told)], state: [daoChange(dao, entry)] };
}

export function daoRecord(dao: string, status: DaoRecord['status']): DaoRecord {
  return { version: 1, type: 'dao', dao, account: dao, status };
}

/** Appends `tracked` and the DAO's own account, where they are not in the log yet. */
async function begin({ chain, tracked, log, logger }: Session, dao: string, pin: Pin) {
  const state = await chain.account(pin.seqno, dao);
  const storage = daoStorageOf(state.codeHash, state.data);
  if (!storage) {
    logger.warn(
      { dao, seqno: pin.seqno, status: state.status, codeHash: state.codeHash },
      state.status === 'active'
        ? 'not tracked: the storage of this account is not that of a DAO; check the address'
        : 'not tracked: this account is not active; check the address, or wait for its deployment',
    );
    return null;
  }
  if (tracked.daos.has(dao)) return storage;
  const entry: TrackedAccount = {
    dao,
    account: dao,
    kind: 'dao',
    parent: null,
    codeHash: null,
    last: null,
    tip: state.last,
    wallet: null,
  };
  await log.append({
    records: [daoRecord(dao, 'tracked'), discoveredRecord(entry, state, pin, null)],
    state: [daoChange(dao, { complete: false, following: false }), accountChange(entry)],
  });
  return storage;
}

function progressOf(
  { clock }: Session,
  dao: string,
  { seqno }: Pin,
  onProgress: (progress: BackfillProgress) => void,
) {
  const began = clock();
  const accounts = { done: 0, known: 0 };
  const transactions = { done: 0, known: 0 };
  let reported = began;
  const report = (ended = false) => {
    reported = clock();
    const seconds = Math.max(reported - began, 1) / 1000;
    const rate = Math.max(transactions.done, transactions.known) / seconds;
    const reading = accounts.done < accounts.known;
    const perUnit = reading ? seconds / accounts.done : seconds / transactions.done;
    const left = reading ? accounts.known - accounts.done : transactions.known - transactions.done;
    const eta = Number.isFinite(perUnit) ? perUnit * left : null;
    onProgress({
      dao,
      seqno,
      accounts: { ...accounts },
      transactions: { ...transactions },
      rate,
      eta: ended ? 0 : eta,
      ended,
    });
  };
  const nowAndThen = () => {
    if (clock() - reported > 200) report();
  };
  return {
    report,
    known: (count: number) => {
      accounts.known += count;
    },
    account: () => {
      accounts.known += 1;
    },
    accountDone: () => {
      accounts.done += 1;
      nowAndThen();
    },
    transactions: (count: number) => {
      transactions.known += count;
      nowAndThen();
    },
    appended: (count: number) => {
      transactions.done += count;
      nowAndThen();
    },
  };
}
