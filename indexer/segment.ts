import type { AccountState } from '../shared/chain/account-state.ts';
import type { ChainClient, ChainPoint } from '../shared/chain/chain-client.ts';
import type { ChainTransaction } from '../shared/chain/transaction.ts';
import { compareLt, pagesBack } from './account-chain.ts';
import type { TrackedAccount } from './tracked-accounts.ts';

/** A verified piece of an account's chain, waiting to be appended. */
export interface Segment {
  /** The account as it stands in the log. */
  account: TrackedAccount;
  /** Newest first. */
  pages: Page[];
  /** The account right after the segment, where its code is to be compared with the folded one. */
  state: AccountState | null;
}

interface Page {
  newest: ChainPoint;
  /** The transaction before the page; null where it begins the chain. */
  before: ChainPoint | null;
  /** Newest first; null where memory did not allow to keep them. */
  transactions: ChainTransaction[] | null;
}

/** How much a reading may still keep. */
export interface Budget {
  bytes: number;
}

/** What a transaction costs in memory and in the log, roughly: its strings and their objects. */
export function bytesOf({ boc, out }: ChainTransaction): number {
  return 2 * boc.length + 800 + 300 * out.length;
}

export function pageOf(transactions: ChainTransaction[], newest: ChainPoint, budget: Budget): Page {
  const oldest = transactions.at(-1);
  const before = oldest && oldest.prevLt !== '0' ? { lt: oldest.prevLt, hash: oldest.prevHash } : null;
  const bytes = transactions.reduce((sum, transaction) => sum + bytesOf(transaction), 0);
  const kept = budget.bytes >= bytes;
  if (kept) budget.bytes -= bytes;
  return { newest, before, transactions: kept ? transactions : null };
}

export interface Step {
  segment: Segment;
  transaction: ChainTransaction;
  /** It ends its segment. */
  isLast: boolean;
}

/** The transactions of all segments by (lt, account): a message before what it causes. */
export async function* inLtOrder(chain: ChainClient, segments: Segment[]): AsyncGenerator<Step> {
  const heap: Cursor[] = [];
  for (const segment of segments) {
    const cursor = new Cursor(chain, segment);
    if (await cursor.advance()) push(heap, cursor);
  }
  for (let first = heap[0]; first; first = heap[0]) {
    const { segment, current } = first;
    const more = await first.advance();
    yield { segment, transaction: current, isLast: !more };
    if (!more) {
      const end = heap.pop();
      if (end && end !== first) heap[0] = end;
    }
    sink(heap);
  }
}

/** Walks one segment from its oldest transaction on, and lets go of each page once it is through. */
class Cursor {
  declare current: ChainTransaction;
  readonly segment: Segment;
  private readonly chain: ChainClient;
  private page: ChainTransaction[] = [];

  constructor(chain: ChainClient, segment: Segment) {
    this.chain = chain;
    this.segment = segment;
  }

  async advance(): Promise<boolean> {
    while (this.page.length === 0) {
      const page = this.segment.pages.pop();
      if (!page) return false;
      this.page = page.transactions ?? (await this.fetchAgain(page));
    }
    const next = this.page.pop();
    if (next) this.current = next;
    return next !== undefined;
  }

  private async fetchAgain({ newest, before }: Page): Promise<ChainTransaction[]> {
    const all: ChainTransaction[] = [];
    for await (const part of pagesBack(this.chain, this.segment.account.account, newest, before)) {
      all.push(...part);
    }
    return all;
  }
}

function isBefore(a: Cursor, b: Cursor): boolean {
  const byLt = compareLt(a.current.lt, b.current.lt);
  return byLt < 0 || (byLt === 0 && a.segment.account.account < b.segment.account.account);
}

function push(heap: Cursor[], cursor: Cursor): void {
  heap.push(cursor);
  for (let child = heap.length - 1; child > 0; ) {
    const parent = (child - 1) >> 1;
    if (!swapped(heap, child, parent)) return;
    child = parent;
  }
}

function sink(heap: Cursor[]): void {
  for (let parent = 0; ; ) {
    const [left, right] = [2 * parent + 1, 2 * parent + 2];
    const smaller = heap[right] && heap[left] && isBefore(heap[right], heap[left]) ? right : left;
    if (!swapped(heap, smaller, parent)) return;
    parent = smaller;
  }
}

function swapped(heap: Cursor[], child: number, parent: number): boolean {
  const [below, above] = [heap[child], heap[parent]];
  if (!below || !above || !isBefore(below, above)) return false;
  heap[child] = above;
  heap[parent] = below;
  return true;
}
