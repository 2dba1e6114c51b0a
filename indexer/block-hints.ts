import type { ChainPoint, ShardBlock } from '../shared/chain/chain-client.ts';
import { compareLt } from './account-chain.ts';
import type { Touched } from './read-tree.ts';
import type { TrackedAccounts } from './tracked-accounts.ts';

/**
 * Which tracked accounts of these DAOs moved, as far as blocks tell, each with its newest transaction
 * in them. Only a hint: a server may leave out whole shard blocks.
 */
export function touchedBy(
  tracked: TrackedAccounts,
  daos: ReadonlySet<string>,
  blocks: ShardBlock[],
): Map<string, Touched[]> {
  const newest = new Map<string, ChainPoint>();
  for (const { transactions } of blocks) {
    for (const { account, lt, hash } of transactions) {
      const known = newest.get(account);
      if (!known || compareLt(lt, known.lt) > 0) newest.set(account, { lt, hash });
    }
  }
  const touched = new Map<string, Touched[]>();
  for (const [address, tip] of newest) {
    for (const dao of tracked.daosOf(address)) {
      const account = daos.has(dao) ? tracked.of(dao).get(address) : undefined;
      if (!account || (account.last && compareLt(tip.lt, account.last.lt) <= 0)) continue;
      const list = touched.get(dao) ?? [];
      list.push({ account, tip });
      touched.set(dao, list);
    }
  }
  return touched;
}

/** A shard whose blocks are not continuous from one masterchain block to the next. */
export interface ShardGap {
  workchain: number;
  shard: string;
  /** The last seqno seen of exactly this shard; null for a shard that came from a split or merge. */
  after: number | null;
  /** The first seqno seen now. */
  found: number;
}

/** Watches the seqnos of shards over masterchain blocks that follow each other. */
export class ShardContinuity {
  private readonly seqnos = new Map<string, number>();

  /** The gaps that this masterchain block shows; the first blocks seen show none. */
  observe(blocks: ShardBlock[]): ShardGap[] {
    const first = this.seqnos.size === 0;
    const gaps: ShardGap[] = [];
    for (const { workchain, shard, seqno } of blocks.toSorted((a, b) => a.seqno - b.seqno)) {
      const key = `${workchain}/${shard}`;
      const after = this.seqnos.get(key) ?? null;
      if (!first && after !== null && seqno <= after) continue;
      if (!first && after !== seqno - 1) gaps.push({ workchain, shard, after, found: seqno });
      this.seqnos.set(key, seqno);
    }
    return gaps;
  }
}
