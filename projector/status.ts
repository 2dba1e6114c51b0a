import { IndexerError } from '../shared/errors.ts';
import type { EventLog, PartitionEnd } from '../shared/event-log/event-log.ts';
import type { Generation, ReadStore } from '../shared/read-store/read-store.ts';
import { deadLettersOf } from './dead-letters.ts';
import { addDigests } from './digest.ts';
import { projectionsVersion } from './generations.ts';
import { type Unknown, unknownsOf } from './unknown.ts';

export interface Status {
  /** Requested DAOs: true where they are to be tracked. */
  daos: Record<string, boolean>;
  partitions: { partition: number; end: number; seqno: number | null; time: number | null }[];
  generations: GenerationStatus[];
}

export interface GenerationStatus extends Generation {
  /** It was built by this version of the projections. */
  own: boolean;
  /** Records that are yet to be folded. */
  lag: number;
  deadLetters: number;
  digest: string;
  /** Offsets up to which records are folded; while a partition is built, about how many are as good as that. */
  checkpoints: { partition: number; offset: number; lag: number }[];
  /** What no contract version reads, most frequent first. */
  unknown: Unknown[];
}

/** How far the log and each generation of read models are. */
export async function readStatus(log: EventLog, store: ReadStore): Promise<Status> {
  const ends = await log.ends();
  const generations: GenerationStatus[] = [];
  for (const generation of await store.generations())
    generations.push(...(await untilDropped(readGeneration(store, generation, ends))));
  return {
    daos: Object.fromEntries(await log.trackingRequests()),
    partitions: ends.map(({ partition, end, asOf }) => ({
      partition,
      end,
      seqno: asOf?.seqno ?? null,
      time: asOf?.time ?? null,
    })),
    generations,
  };
}

async function readGeneration(
  store: ReadStore,
  generation: Generation,
  ends: PartitionEnd[],
): Promise<GenerationStatus> {
  const writer = await store.openWriter(generation.id);
  const checkpoints = await Promise.all(ends.map(({ partition }) => writer.checkpoint(partition)));
  await writer.close();
  const dead = await store.view(
    (view) => Promise.all(ends.map(({ partition }) => view.list(deadLettersOf(partition)))),
    generation.id,
  );
  const places = ends.map(({ partition, end }, index) => {
    const { offset: folded = 0, building } = checkpoints[index] ?? {};
    const offset = building?.done ?? folded;
    return { partition, offset, lag: Math.max(0, end - offset) };
  });
  return {
    ...generation,
    own: generation.projections === projectionsVersion(),
    lag: sum(places.map(({ lag }) => lag)),
    deadLetters: sum(dead?.map(({ total }) => total) ?? []),
    digest: addDigests(...checkpoints.map(({ digest }) => digest)),
    checkpoints: places,
    unknown: unknownsOf(checkpoints.map(({ tally }) => tally)),
  };
}

/** Nothing of a generation that is dropped while it is looked at. */
async function untilDropped(read: Promise<GenerationStatus>): Promise<GenerationStatus[]> {
  try {
    return [await read];
  } catch (error) {
    const gone = error instanceof IndexerError && /^GENERATION_(DROPPED|UNKNOWN)$/.test(error.code);
    if (!gone) throw error;
    return [];
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
