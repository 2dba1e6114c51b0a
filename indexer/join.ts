import { setTimeout as pause } from 'node:timers/promises';
import { touchedBy } from './block-hints.ts';
import { blocksBetween } from './block-stream.ts';
import { type HeadFollower, readAndEmit } from './follow-head.ts';
import type { Pin } from './read-tree.ts';
import type { Session } from './session.ts';

/**
 * Brings one DAO, read up to its backfill's pinned block, to where the follower is: the blocks that
 * it missed, until it can be admitted.
 */
export async function join(session: Session, follower: HeadFollower, dao: string, pin: Pin): Promise<void> {
  const own = new Set([dao]);
  let { seqno, now } = pin;
  for (let missing = follower.admit(dao, seqno); missing > 0; missing = follower.admit(dao, seqno)) {
    const before = seqno;
    for await (const { to, shards } of blocksBetween(session, seqno + 1, seqno + missing)) {
      now = Math.max(now, session.tracked.head?.time ?? 0);
      await readAndEmit(session, own, touchedBy(session.tracked, own, shards), { seqno: to, now });
      seqno = to;
    }
    if (seqno === before) await pause(session.limits.pollMs, undefined, { signal: session.signal });
  }
}
