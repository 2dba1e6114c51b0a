import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { IndexerError } from '../shared/errors.ts';
import type { StateChange } from '../shared/event-log/event-log.ts';
import { type BackfillProgress, backfill, daoRecord } from './backfill.ts';
import type { HeadFollower } from './follow-head.ts';
import { join } from './join.ts';
import { patientChain } from './patient-chain.ts';
import type { Session } from './session.ts';
import { accountChange, daoChange } from './tracked-accounts.ts';

/** DAOs that are backfilled at a time. */
const DAOS_AT_ONCE = 2;
/** Entries deleted in one append. */
const DELETED_AT_ONCE = 1000;

export interface TrackingOptions {
  /** Raw addresses. */
  configured: string[];
  /** The last request for every DAO that one was made for. */
  requests: () => Promise<Map<string, boolean>>;
  onProgress?: ((progress: BackfillProgress) => void) | undefined;
}

/**
 * Starts and ends the tracking of DAOs as configuration and requests have it (a request outweighs the
 * configuration), beside the follower, until the session ends. Rejects where an append failed.
 */
export async function manageTracking(
  session: Session,
  follower: HeadFollower,
  { configured, requests, onProgress }: TrackingOptions,
): Promise<void> {
  const { tracked, signal, limits, clock } = session;
  const tasks = new Map<string, { stop: AbortController; ended: Promise<void> }>();
  const notBefore = new Map<string, number>();
  const turn = pLimit(DAOS_AT_ONCE);
  const failures: { error: unknown }[] = [];

  const start = (dao: string): void => {
    const stop = new AbortController();
    const own = AbortSignal.any([signal, stop.signal]);
    const chain = patientChain(session.chain, own, session.logger);
    const ended = turn(() => bringIn({ ...session, signal: own, chain }, follower, dao, onProgress))
      .catch((error: unknown) => {
        if (own.aborted) return;
        if (!(error instanceof IndexerError) || session.log.failed) failures.push({ error });
        else
          session.logger.warn(
            { dao, code: error.code, err: error },
            'backfill interrupted; tried again later',
          );
      })
      .finally(() => {
        tasks.delete(dao);
        notBefore.set(dao, clock() + limits.retryMs);
      });
    tasks.set(dao, { stop, ended });
  };

  try {
    while (!signal.aborted) {
      const [failure] = failures;
      if (failure) throw failure.error;
      const asked = await requests();
      const wanted = new Set(configured.filter((dao) => asked.get(dao) !== false));
      for (const [dao, isWanted] of asked) if (isWanted) wanted.add(dao);
      for (const dao of new Set([...tracked.daos.keys(), ...tasks.keys()])) {
        if (wanted.has(dao) && !tracked.daos.get(dao)?.leaving) continue;
        const task = tasks.get(dao);
        task?.stop.abort();
        await task?.ended;
        notBefore.delete(dao);
        if (tracked.daos.has(dao)) await untrack(session, follower, dao);
      }
      for (const dao of wanted) {
        if (follower.isFollowing(dao) || tasks.has(dao) || clock() < (notBefore.get(dao) ?? 0)) continue;
        start(dao);
      }
      await pause(limits.pollMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    for (const { stop } of tasks.values()) stop.abort();
    await Promise.all([...tasks.values()].map(({ ended }) => ended));
  }
}

async function bringIn(
  session: Session,
  follower: HeadFollower,
  dao: string,
  onProgress?: (progress: BackfillProgress) => void,
): Promise<void> {
  session.signal.throwIfAborted();
  const pin = await backfill(session, dao, onProgress);
  if (!pin) return;
  await join(session, follower, dao, pin);
  await session.log.appendIf(() => {
    const entry = session.tracked.daos.get(dao);
    return entry ? { records: [], state: [daoChange(dao, { ...entry, following: true })] } : null;
  });
}

/** Tells the log first; then the entries go, in appends that a stop may fall between. */
async function untrack(session: Session, follower: HeadFollower, dao: string): Promise<void> {
  const { tracked, log } = session;
  await follower.dismiss(dao);
  const entry = tracked.daos.get(dao);
  if (entry && !entry.leaving) {
    await log.append({
      records: [daoRecord(dao, 'untracked')],
      state: [daoChange(dao, { ...entry, following: false, leaving: true })],
    });
  }
  const doomed: StateChange[] = [...tracked.of(dao).values()].map((account) => ({
    ...accountChange(account),
    value: null,
  }));
  for (const [key, metadata] of tracked.metadata) if (metadata.dao === dao) doomed.push({ key, value: null });
  for (let from = 0; from < doomed.length; from += DELETED_AT_ONCE) {
    await log.append({ records: [], state: doomed.slice(from, from + DELETED_AT_ONCE) });
  }
  await log.append({ records: [], state: [daoChange(dao, null)] });
}
