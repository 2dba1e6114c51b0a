import type { AsOf } from '../../shared/event-log/event-log.ts';
import type { Generation, ReadStore, ReadView } from '../../shared/read-store/read-store.ts';
import type { RevocationList, RevokedToken } from '../../shared/revocations/revocation-list.ts';

/** What the API reads, writable by hand; `failWith` makes every read fail. */
export class MemoryStore {
  generation: Generation | undefined = {
    id: 'g1',
    projections: '1',
    partitions: 4,
    createdAt: 0,
    live: true,
    building: false,
    promotion: 1,
  };
  asOf: AsOf | null = { seqno: 1234, time: 1_750_000_000 };
  failWith: Error | undefined;
  /** Awaited by every view, so that a test can hold requests in flight. */
  gate: Promise<void> = Promise.resolve();
  /** Pages read from lists, to see what a cache or a 304 saved. */
  pagesRead = 0;
  readonly #documents = new Map<string, { body: Buffer; version: string }>();
  readonly #lists = new Map<string, { version: number; entries: Map<string, Buffer> }>();
  #version = 0;

  put(model: string, key: string, body: unknown): void {
    this.#documents.set(`${model}\n${key}`, { body: bytes(body), version: String(++this.#version) });
  }

  remove(model: string, key: string): void {
    this.#documents.delete(`${model}\n${key}`);
  }

  enlist(list: string, sortKey: string, body: unknown): void {
    const known = this.#lists.get(list) ?? { version: 0, entries: new Map<string, Buffer>() };
    known.version = ++this.#version;
    known.entries.set(sortKey, bytes(body));
    this.#lists.set(list, known);
  }

  /** As the port has it; writers and generations are not needed here. */
  asReadStore(): ReadStore {
    return { view: (read: (view: ReadView) => Promise<unknown>) => this.#view(read) } as unknown as ReadStore;
  }

  async #view(read: (view: ReadView) => Promise<unknown>): Promise<unknown> {
    await this.gate;
    if (this.failWith) throw this.failWith;
    return this.generation === undefined ? undefined : read(this.#read(this.generation));
  }

  #read(generation: Generation): ReadView {
    const sorted = (list: string) =>
      [...(this.#lists.get(list)?.entries ?? [])].sort(([a], [b]) =>
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      );
    const state = (list: string) => ({
      total: sorted(list).length,
      version: String(this.#lists.get(list)?.version ?? 0),
    });
    const itemsOf = (list: string, offset: number, limit: number) => {
      this.pagesRead += 1;
      return sorted(list)
        .slice(offset, offset + limit)
        .map(([, body]) => body);
    };
    return {
      generation,
      get: (model, key) => Promise.resolve(this.#documents.get(`${model}\n${key}`)),
      list: (list) => Promise.resolve(state(list)),
      page: (list, offset, limit) => Promise.resolve({ ...state(list), items: itemsOf(list, offset, limit) }),
      // Items one by one are runs as well.
      joined: (list, offset, limit) =>
        Promise.resolve({ ...state(list), runs: itemsOf(list, offset, limit) }),
      rank: (list, sortKey) => Promise.resolve(sorted(list).filter(([key]) => key < sortKey).length),
      asOf: () => Promise.resolve(this.asOf),
    };
  }
}

/** A revocation list that can be told to fail. */
export class MemoryRevocations implements RevocationList {
  failWith: Error | undefined;
  readonly #revoked = new Map<string, RevokedToken>();

  revoke(token: RevokedToken): Promise<void> {
    this.#revoked.set(token.jti, token);
    return Promise.resolve();
  }

  isRevoked(jti: string): Promise<boolean> {
    return this.failWith ? Promise.reject(this.failWith) : Promise.resolve(this.#revoked.has(jti));
  }

  entries(): Promise<RevokedToken[]> {
    return Promise.resolve([...this.#revoked.values()]);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function bytes(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}
