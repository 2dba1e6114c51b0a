import type { EventLog } from '../shared/event-log/event-log.ts';
import type { Generation, ReadStore } from '../shared/read-store/read-store.ts';
import { deadLettersOf } from './dead-letters.ts';
import { addDigests } from './digest.ts';

export interface Status {
  /** Requested DAOs: true where they are to be tracked. */
  daos: Record<string, boolean>;
  partitions: { partition: number; end: number; seqno: number | null; time: number | null }[];
  generations: (Generation & {
    /** Records that are yet to be folded. */
    lag: number;
    deadLetters: number;
    digest: string;
  })[];
}

/** How far the log and each generation of read models are. */
export async function readStatus(log: EventLog, store: ReadStore): Promise<Status> {
  const ends = await log.ends();
  const generations: Status['generations'] = [];
  for (const generation of await store.generations()) {
    const writer = await store.openWriter(generation.id);
    const checkpoints = await Promise.all(ends.map(({ partition }) => writer.checkpoint(partition)));
    await writer.close();
    const lags = checkpoints.map(({ offset }, index) => (ends[index]?.end ?? 0) - offset);
    const dead = await store.view(
      (view) => Promise.all(ends.map(({ partition }) => view.list(deadLettersOf(partition)))),
      generation.id,
    );
    generations.push({
      ...generation,
      lag: lags.reduce((sum, lag) => sum + lag, 0),
      deadLetters: dead?.reduce((sum, { total }) => sum + total, 0) ?? 0,
      digest: addDigests(...checkpoints.map(({ digest }) => digest)),
    });
  }
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
