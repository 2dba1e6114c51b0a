import type { Block } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import type { ChainStore } from '../chain/chain-store.ts';
import { NotYetError, readNumber } from './parameters.ts';

/** What the server shows of a chain. */
export interface ChainView {
  chain: Chain;
  store: ChainStore;
  /** The newest block that may be seen; undefined before the first one. */
  readonly visibleHead: () => Block | undefined;
  /** The devnet's clock, in seconds. */
  readonly now: () => number;
}

/** The block that a path names, if it may be seen already. */
export function visibleBlock(view: ChainView, seqno: string | undefined): Block {
  return visible(view, view.store.block(readNumber(seqno, 'seqno')));
}

/** The block, if there is one and it may be seen already. */
export function visible(view: ChainView, block: Block | undefined): Block {
  const head = view.visibleHead();
  if (!block || !head || block.master.seqno > head.master.seqno) {
    throw new NotYetError();
  }
  return block;
}
