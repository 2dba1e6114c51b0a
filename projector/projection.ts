import type { ListEntry } from '../shared/read-store/read-store.ts';
import type { Json, JsonObject } from './account-fold.ts';

/** What the accounts concerned have to say in one document, by account. */
export type Parts = ReadonlyMap<string, JsonObject>;

export interface Rendered {
  /** As the API answers it; its keys in the order in which they are served. */
  body: Json;
  entries: ListEntry[];
}

/**
 * A read model: how the parts of accounts make a document. Pure, and blind to the order in which
 * the parts came, so that late discovery and late healing give the same bytes.
 */
export interface Projection {
  name: string;
  /** Raise it when the same parts give other bytes. */
  version: number;
  /** Kept for the service itself: not an answer of the API, not in the digest. */
  internal?: true;
  /** Several accounts have parts in most of its documents; a rebuild then renders none before it has them all. */
  shared?: true;
  /** Null where there is nothing to read. */
  render(key: string, parts: Parts): Rendered | null;
}
