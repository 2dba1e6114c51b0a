import { createHash } from 'node:crypto';

/** Numbers that only depend on a seed. */
export class Random {
  readonly #seed: string;
  #drawn = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** An integer from 0 up to, not including, `end`. */
  below(end: number): number {
    const hash = createHash('sha256')
      .update(`${this.#seed} ${this.#drawn++}`)
      .digest();
    return Number(hash.readBigUInt64BE() % BigInt(end));
  }

  /** One of them. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) {
      throw new RangeError('nothing to pick from');
    }
    return item;
  }
}
