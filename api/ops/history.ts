import type { Snapshot } from './snapshot.ts';

/** Columns of equal length, oldest first; null where nothing was known. */
export interface HistoryColumns {
  /** Unix milliseconds. */
  at: number[];
  /** Seconds. */
  headLag: (number | null)[];
  /** Records a second, into the log. */
  appended: (number | null)[];
  /** Records a second, into all generations together. */
  folded: (number | null)[];
}

interface Sample {
  at: number;
  headLag: number | null;
  appended: number | null;
  folded: number | null;
}

/** The last samples of what the charts show, so that the page knows the past when it is opened. */
export class History {
  private readonly samples: Sample[] = [];
  private readonly size: number;
  private last: Snapshot | undefined;

  constructor(size: number) {
    this.size = size;
  }

  /** The same snapshot twice is one sample. */
  add(snapshot: Snapshot): void {
    const { at, headLag } = snapshot;
    if (this.last && at <= this.last.at) return;
    const seconds = (at - (this.last?.at ?? at)) / 1000;
    const rate = (records: number | null) =>
      records === null ? null : Math.round((records / seconds) * 10) / 10;
    const before = this.last?.status;
    const now = snapshot.status;
    const both = before && now ? { before, now } : null;
    this.samples.push({
      at,
      headLag,
      appended: rate(both && grown(ends(both.before), ends(both.now))),
      folded: rate(both && grown(offsets(both.before), offsets(both.now))),
    });
    if (this.samples.length > this.size) this.samples.shift();
    this.last = snapshot;
  }

  /** The samples after `since`, in unix milliseconds. */
  after(since: number): HistoryColumns {
    const samples = this.samples.filter(({ at }) => at > since);
    return {
      at: samples.map(({ at }) => at),
      headLag: samples.map(({ headLag }) => headLag),
      appended: samples.map(({ appended }) => appended),
      folded: samples.map(({ folded }) => folded),
    };
  }
}

type Places = Map<string, number>;

function ends({ partitions }: NonNullable<Snapshot['status']>): Places {
  return new Map(partitions.map(({ partition, end }) => [String(partition), end]));
}

function offsets({ generations }: NonNullable<Snapshot['status']>): Places {
  return new Map(
    generations.flatMap(({ id, checkpoints }) =>
      checkpoints.map(({ partition, offset }) => [`${id}/${partition}`, offset] as const),
    ),
  );
}

/** By how much the places grew that both have: one that appears or goes back tells of no rate. */
function grown(before: Places, now: Places): number {
  return [...now].reduce((sum, [name, place]) => sum + Math.max(0, place - (before.get(name) ?? place)), 0);
}
