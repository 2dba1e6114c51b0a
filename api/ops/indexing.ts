import type { ChainClient } from '../../shared/chain/chain-client.ts';

/** What the indexer of this process tells of itself. */
export interface IndexerStatus {
  /** The masterchain block that the log is complete up to, and its time in unix seconds. */
  head: { seqno: number; time: number } | null;
  daos: {
    dao: string;
    complete: boolean;
    following: boolean;
    accounts: number;
    /** Accounts whose chain is known to reach further than the log. */
    behind: string[];
  }[];
}

/** How far the backfill of a DAO is. */
export interface Backfill {
  dao: string;
  accounts: { done: number; known: number };
  transactions: { done: number; known: number };
  /** Transactions a second. */
  rate: number;
  /** Seconds; null while nothing is known to go by. */
  eta: number | null;
  ended: boolean;
}

export interface IndexingStatus extends IndexerStatus {
  /** The newest masterchain block that the chain told of. */
  seen: number | null;
  backfills: Backfill[];
}

/** What an indexer shows only as it works, kept for whoever asks: heads of the chain, running backfills. */
export class Indexing {
  private seen: number | null = null;
  private readonly backfills = new Map<string, Backfill>();

  /** The same client; the heads that it gives are noted. */
  watch(chain: ChainClient): ChainClient {
    const head = async () => {
      const newest = await chain.head();
      this.seen = newest.seqno;
      return newest;
    };
    return { ...chain, head };
  }

  /** Notes a progress, and hands it on. */
  note<T extends Backfill>(handOn: (progress: T) => void): (progress: T) => void {
    return (progress) => {
      if (progress.ended) this.backfills.delete(progress.dao);
      else this.backfills.set(progress.dao, progress);
      handOn(progress);
    };
  }

  join(status: IndexerStatus): IndexingStatus {
    return { ...status, seen: this.seen, backfills: [...this.backfills.values()] };
  }
}
