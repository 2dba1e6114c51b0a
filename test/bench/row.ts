/** Both in the same unit and the same direction; where the goal is a rate, more is better. */
export interface Measured {
  ours: number;
  reference: number;
  /** What belongs to the figures and is not a ratio, for people: a size, peak memory. */
  note?: string;
}

export type Size = 'small' | 'full';

/** One row of the table: a ratio of two things measured side by side. */
export interface Row {
  name: string;
  /** The two sides in words, for people. */
  ours: string;
  reference: string;
  unit: string;
  /** The ratio of ours to the reference is to be at least, or at most, this. */
  goal: { atLeast: number } | { atMost: number };
  measure(size: Size): Promise<Measured>;
}
