import type { DocumentKey, StoredDocument } from '../shared/read-store/read-store.ts';
import type { JsonObject } from './account-fold.ts';
import { documentDigest } from './digest.ts';
import { projectionOf } from './projections/projections.ts';

/** What the accounts concerned have said in a document, kept beside its body for the next batch. */
type StoredParts = { [account: string]: JsonObject };

/** A document as it stands, and what it adds to the digest. */
export interface FinishedDocument {
  document: StoredDocument;
  digest: bigint;
}

/** A document while a batch is folded into it. */
export class DocumentDraft {
  private readonly at: DocumentPlace;
  private readonly parts: Map<string, JsonObject>;
  private readonly before: StoredDocument | undefined;

  constructor({ model, key }: DocumentKey, dao: string, before: StoredDocument | undefined) {
    this.at = { model, key, dao, offset: before?.offset ?? 0 };
    this.before = before;
    const stored = before?.state ? (JSON.parse(before.state.toString()) as StoredParts) : {};
    this.parts = new Map(Object.entries(stored));
  }

  /** Puts what an account has to say now in the place of what it said before. */
  say(account: string, part: JsonObject | null, offset: number): void {
    if (part) this.parts.set(account, part);
    else this.parts.delete(account);
    this.at.offset = Math.max(this.at.offset, offset);
  }

  /** The document as the parts make it, and what that adds to the digest. */
  finish(): FinishedDocument {
    const parts = inOrder(this.parts);
    const state = JSON.stringify(Object.fromEntries(parts));
    const { document, digest } = renderDocument(this.at, parts, state);
    const { internal } = projectionOf(document.model);
    return { document, digest: this.before && !internal ? digest - documentDigest(this.before) : digest };
  }
}

export type DocumentPlace = Pick<StoredDocument, 'model' | 'key' | 'dao' | 'offset'>;

/** `state`: the parts, in order, as one JSON object. */
export function renderDocument(
  at: DocumentPlace,
  parts: ReadonlyMap<string, JsonObject>,
  state: string,
): FinishedDocument {
  const projection = projectionOf(at.model);
  const rendered = projection.render(at.key, parts);
  const document: StoredDocument = {
    model: at.model,
    key: at.key,
    dao: at.dao,
    body: rendered && Buffer.from(JSON.stringify(rendered.body)),
    state: Buffer.from(state),
    entries: rendered?.entries ?? [],
    offset: at.offset,
  };
  return { document, digest: projection.internal ? 0n : documentDigest(document) };
}

/** By account: same parts, same bytes. */
export function inOrder<T>(parts: Map<string, T>): Map<string, T> {
  return parts.size < 2 ? parts : new Map([...parts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
