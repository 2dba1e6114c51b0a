import { Lru } from './lru.ts';

const ASKED_FOR = 10_000;

/**
 * Joined pages, by their list and ETag. Only what is asked for a second time is kept: to hold on to
 * pages that nobody asks for again costs the garbage collector a quarter of what it costs to make them.
 */
export class PageCache {
  readonly #pages: Lru<Buffer>;
  readonly #asked = new Lru<true>(ASKED_FOR);

  constructor(bytes: number) {
    this.#pages = new Lru<Buffer>(bytes, (page) => page.length);
  }

  get(key: string): Buffer | undefined {
    return this.#pages.get(key);
  }

  offer(key: string, page: Buffer): void {
    if (this.#asked.get(key)) this.#pages.set(key, page);
    else this.#asked.set(key, true);
  }
}
