import { createHash } from 'node:crypto';

/** The id of a block as the v4 API shows it; hashes in base64. */
export interface BlockId {
  workchain: number;
  seqno: number;
  shard: string;
  rootHash: string;
  fileHash: string;
}

/** A transaction's place: `account` raw, `hash` base64. */
export interface TransactionId {
  account: string;
  lt: string;
  hash: string;
}

/** A masterchain block with its one shard block of workchain 0. */
export interface Block {
  master: BlockId;
  shard: BlockId;
  utime: number;
  /** By account, then lt: the order that a liteserver lists them in. */
  transactions: TransactionId[];
}

const WHOLE_SHARD = '-9223372036854775808';

/** The first block's predecessor, which a v4 server shows as `init`. */
export const zeroState = { rootHash: hashOf('zero state, root'), fileHash: hashOf('zero state, file') };

/**
 * Seals a block. There is no real block to hash on a devnet; these hashes cover all that the block
 * holds and its predecessor, so that two chains with one equal hash are equal up to there.
 */
export function sealBlock(previous: Block | undefined, utime: number, transactions: TransactionId[]): Block {
  const ordered = transactions.toSorted(byAccountThenLt);
  const seqno = (previous?.master.seqno ?? 0) + 1;
  const content = JSON.stringify([
    previous?.master.rootHash ?? zeroState.rootHash,
    seqno,
    utime,
    ordered.map((transaction) => transaction.hash),
  ]);
  const id = (workchain: number, name: string): BlockId => ({
    workchain,
    seqno,
    shard: WHOLE_SHARD,
    rootHash: hashOf(`${name} root ${content}`),
    fileHash: hashOf(`${name} file ${content}`),
  });
  return { master: id(-1, 'master'), shard: id(0, 'shard'), utime, transactions: ordered };
}

/** What the state's root hash is to a client: a name for "all of it, here". */
export function stateHashOf(block: Block): string {
  return hashOf(`state ${block.master.rootHash}`);
}

function byAccountThenLt(a: TransactionId, b: TransactionId): number {
  if (a.account !== b.account) {
    return a.account < b.account ? -1 : 1;
  }
  return BigInt(a.lt) < BigInt(b.lt) ? -1 : 1;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
