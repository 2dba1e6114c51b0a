import { partitionOf } from '../../shared/event-log/partition.ts';
import { openEmbeddedReadStore } from '../../shared/read-store/embedded.ts';
import type { ReadStore, StoredDocument } from '../../shared/read-store/read-store.ts';
import { address, DAO, daoBody, iso } from '../api/story.ts';
import type { Size } from './row.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PARTITIONS = 4;
const BATCH = 10_000;
const WALLET_CAMPAIGNS = 50;
export const HOLDERS: Record<Size, number> = { small: 50_000, full: 1_000_000 };

export const HOLDER_LIST = `holders/${DAO}`;
/** A wallet that took part in 50 campaigns. */
export const INVESTOR = address(0x1f);

export interface StoredDao {
  dir: string;
  holders: number;
}

const filled = new Map<Size, Promise<StoredDao>>();

/** A DAO with its holders in a read store, filled once a run, in sorted batches. */
export function storedDao(size: Size): Promise<StoredDao> {
  const known = filled.get(size) ?? fill(HOLDERS[size]);
  filled.set(size, known);
  return known;
}

async function fill(holders: number): Promise<StoredDao> {
  const dir = temporaryFolder('dao');
  const store = await openEmbeddedReadStore(dir);
  await fillDao(store, holders);
  await store.close();
  return { dir, holders };
}

/** Into a generation of its own. */
export async function fillDao(store: ReadStore, holders: number): Promise<void> {
  const { id } = await store.create('bench', PARTITIONS);
  const writer = await store.openWriter(id);
  let offset = 0;
  const commit = async (documents: StoredDocument[]) => {
    const from = offset++;
    const asOf = { seqno: offset, time: 1_760_000_000 };
    const checkpoint = { offset, asOf, digest: '0'.repeat(64), edits: 0, tally: {} };
    await writer.commit({
      partition: partitionOf(DAO, PARTITIONS),
      base: { offset: from, edits: 0 },
      checkpoint,
      documents,
    });
  };
  await commit([
    document('dao', DAO, daoBody),
    document('dao_state', DAO, { state: 'live' }),
    document('participants', `${DAO}/${INVESTOR}`, participant()),
  ]);
  for (let n = 0; n < holders; n += BATCH)
    await commit(Array.from({ length: Math.min(BATCH, holders - n) }, (_, i) => holder(n + i)));
}

function document(model: string, key: string, body: unknown, sortKey?: string): StoredDocument {
  const entries = sortKey === undefined ? [] : [{ list: HOLDER_LIST, sortKey }];
  return { model, key, dao: DAO, body: Buffer.from(JSON.stringify(body)), state: null, entries, offset: 0 };
}

function holder(n: number): StoredDocument {
  const [wallet, owner] = [address(0x10_0000_0000 + n), address(0x20_0000_0000 + n)];
  const body = {
    jetton_wallet_address: wallet,
    owner_address: owner,
    balance: `${9_000_000_000_000_000 - n * 1000}`,
  };
  return document('holders', `${DAO}/${wallet}`, body, `${String(n).padStart(12, '0')}/${owner}`);
}

function participant(): object {
  const campaigns = Array.from({ length: WALLET_CAMPAIGNS }, (_, n) => ({
    campaignAddress: address(0x5000 + n),
    helperAddress: address(0x6000 + n),
    campaignName: `Campaign number ${n}`,
    isNative: true,
    amount: '20000000000',
    lpBalance: '0',
    isClaimed: false,
    isRefunded: false,
    dateCreate: iso(1_750_000_000 + n),
  }));
  return {
    daoAddress: DAO,
    ownerAddress: INVESTOR,
    campaigns,
    totalInvested: '1000000000000',
    totalLpHeld: '0',
    totalLpVesting: '0',
    activeCount: WALLET_CAMPAIGNS,
  };
}
