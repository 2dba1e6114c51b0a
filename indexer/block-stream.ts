import type { ShardBlock } from '../shared/chain/chain-client.ts';
import type { Session } from './session.ts';

/** Masterchain blocks that follow each other, `to` being the last one. */
export interface Blocks {
  to: number;
  shards: ShardBlock[];
}

/**
 * The blocks from `from` to `to` in order, some at a time; the next ones are fetched while those
 * before are read and appended. Ends early where a server does not have them yet.
 */
export async function* blocksBetween(session: Session, from: number, to: number): AsyncGenerator<Blocks> {
  const size = session.limits.blocksPerAppend;
  const fetchFrom = (first: number) =>
    first > to ? Promise.resolve(null) : fetchBlocks(session, first, Math.min(to, first + size - 1));
  for (let next = fetchFrom(from); ; ) {
    const blocks = await next;
    if (!blocks) return;
    next = fetchFrom(blocks.to + 1);
    // Awaited in the next turn; until then its failure is nobody's.
    next.catch(() => undefined);
    yield blocks;
  }
}

/** As many blocks from `from` on as are there in a row; null where the first one is not. */
async function fetchBlocks({ chain }: Session, from: number, to: number): Promise<Blocks | null> {
  const seqnos = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const answers = await Promise.all(seqnos.map((seqno) => chain.block(seqno)));
  const missing = answers.indexOf(null);
  const there = missing === -1 ? answers : answers.slice(0, missing);
  if (there.length === 0) return null;
  return { to: from + there.length - 1, shards: there.flatMap((shards) => shards ?? []) };
}
