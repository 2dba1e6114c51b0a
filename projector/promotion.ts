import { FatalError } from '../shared/errors.ts';
import type { EventLog } from '../shared/event-log/event-log.ts';
import type { Generation, ReadStore } from '../shared/read-store/read-store.ts';
import { findGeneration } from './find-generation.ts';

/** A generation that was made live, and what readers of it have to know. */
export interface Promoted {
  id: string;
  /** The one that was live before, null where none was or it was this one. */
  before: string | null;
  /** Records at the end of the log that it has not folded. */
  lag: number;
}

interface PromotionStores {
  log: Pick<EventLog, 'partitions' | 'ends'>;
  store: ReadStore;
}

/** The log of a running indexer is always a few records ahead of those who follow it. */
const FEW_RECORDS = 100;

/**
 * Makes a generation live for every reader at once. Refused where readers would go back in time: while
 * it has folded less than the live one, or is more than 100 records from the end of the log; `force`
 * does it anyway. What is not built, or of another log, is refused in any case.
 */
export async function promoteGeneration(
  stores: PromotionStores,
  name: string,
  force = false,
): Promise<Promoted> {
  const { log, store } = stores;
  const target = await findGeneration(store, name);
  requirePromotable(target, log.partitions);
  const live = (await store.generations()).find((each) => each.live);
  const offsets = await offsetsOf(store, target);
  const lag = await lagOf(log, offsets);
  if (!force && live && !target.live) {
    const behind = differenceOf(await offsetsOf(store, live), offsets);
    if (behind > 0) throw isBehind(target.id, `${behind} records behind ${live.id}, which is live`);
    if (lag > FEW_RECORDS) throw isBehind(target.id, `${lag} records behind the end of the log`);
  }
  await store.promote(target.id);
  return { id: target.id, before: live && live.id !== target.id ? live.id : null, lag };
}

/**
 * Makes the generation live again that was so last; done twice it goes there and back. Never refused
 * for being behind: it is the way out of a bad promotion.
 */
export async function rollbackGeneration({ log, store }: PromotionStores): Promise<Promoted> {
  const generations = await store.generations();
  const target = generations
    .filter(({ live, promotion }) => !live && promotion > 0)
    .reduce<Generation | undefined>(
      (last, each) => (each.promotion > (last?.promotion ?? 0) ? each : last),
      undefined,
    );
  if (!target)
    throw new FatalError(
      'NOTHING_TO_ROLL_BACK_TO',
      'No other generation was ever live, or it was dropped: `promote` the one that is to be',
    );
  requirePromotable(target, log.partitions);
  await store.promote(target.id);
  const before = generations.find(({ live }) => live)?.id ?? null;
  return { id: target.id, before, lag: await lagOf(log, await offsetsOf(store, target)) };
}

function requirePromotable({ id, building, partitions }: Generation, ofLog: number): void {
  if (building)
    throw new FatalError(
      'GENERATION_BUILDING',
      `Generation ${id} is not built yet: let its rebuild end first`,
    );
  if (partitions === ofLog) return;
  throw new FatalError(
    'GENERATION_OF_ANOTHER_LOG',
    `Generation ${id} was folded from a log of ${partitions} partitions and this one has ${ofLog}: rebuild`,
  );
}

async function offsetsOf(store: ReadStore, { id, partitions }: Generation): Promise<number[]> {
  const writer = await store.openWriter(id);
  try {
    const checkpoints = Array.from({ length: partitions }, (_, partition) => writer.checkpoint(partition));
    return (await Promise.all(checkpoints)).map(({ offset }) => offset);
  } finally {
    await writer.close();
  }
}

async function lagOf(log: Pick<EventLog, 'ends'>, offsets: number[]): Promise<number> {
  return differenceOf(
    (await log.ends()).map(({ end }) => end),
    offsets,
  );
}

/** By how many records `offsets` fall short, partition by partition. */
function differenceOf(of: number[], offsets: number[]): number {
  return of.reduce((sum, offset, partition) => sum + Math.max(0, offset - (offsets[partition] ?? 0)), 0);
}

function isBehind(id: string, how: string): FatalError {
  return new FatalError(
    'GENERATION_BEHIND',
    `Generation ${id} is ${how}: let its projector catch up, or promote it with --force and show readers an older state`,
  );
}
