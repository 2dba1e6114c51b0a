import { Lru } from './lru.ts';

const REMEMBERED = 5000;

/**
 * Joined pages, by their list and ETag. Only what is asked for a second time is kept: to hold on to
 * pages that nobody asks for again costs the garbage collector a quarter of what it costs to make them.
 */
export class PageCache {
  readonly #pages: Lru<Buffer>;
  // Keys of the last pages asked for. Forgotten by the half: one by one costs a fifth of a fresh page.
  #asked = new Set<string>();
  #askedBefore = new Set<string>();

  constructor(bytes: number) {
    this.#pages = new Lru<Buffer>(bytes, (page) => page.length);
  }

  get(key: string): Buffer | undefined {
    return this.#pages.get(key);
  }

  offer(key: string, page: Buffer): void {
    if (this.#asked.has(key) || this.#askedBefore.has(key)) {
      this.#pages.set(key, page);
      return;
    }
    this.#asked.add(key);
    if (this.#asked.size < REMEMBERED) return;
    this.#askedBefore = this.#asked;
    this.#asked = new Set();
  }
}
