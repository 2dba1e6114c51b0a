import type { DocumentKey, StoredDocument } from '../shared/read-store/read-store.ts';
import type { JsonObject } from './account-fold.ts';
import { documentDigest } from './digest.ts';
import type { Projection } from './projection.ts';

/** What the accounts concerned have said in a document, kept beside its body for the next batch. */
type StoredParts = { [account: string]: JsonObject };

/** A document while batches are folded into it. */
export class DocumentDraft {
  private readonly model: string;
  private readonly key: string;
  private readonly dao: string;
  private readonly parts: Map<string, JsonObject>;
  private offset: number;
  /** As it was loaded, until its digest is taken. */
  private before: StoredDocument | undefined;
  private digest = 0n;
  /** Of its state as it was loaded or finished last. */
  bytes: number;

  constructor({ model, key }: DocumentKey, dao: string, before: StoredDocument | undefined) {
    this.model = model;
    this.key = key;
    this.dao = dao;
    this.before = before;
    this.offset = before?.offset ?? 0;
    this.bytes = before?.state?.length ?? 0;
    const stored = before?.state ? (JSON.parse(before.state.toString()) as StoredParts) : {};
    this.parts = new Map(Object.entries(stored));
  }

  /** Puts what an account has to say now in the place of what it said before. */
  say(account: string, part: JsonObject | null, offset: number): void {
    if (part) this.parts.set(account, part);
    else this.parts.delete(account);
    this.offset = Math.max(this.offset, offset);
  }

  /**
   * The document as the parts make it, and what it adds to the digest since it was loaded or finished
   * last. Accounts in the order of their addresses: same parts, same bytes.
   */
  finish(projection: Projection): { document: StoredDocument; digest: bigint } {
    const parts = this.sortedParts();
    const rendered = projection.render(this.key, parts);
    const state = Buffer.from(JSON.stringify(Object.fromEntries(parts)));
    const document: StoredDocument = {
      model: this.model,
      key: this.key,
      dao: this.dao,
      body: rendered && Buffer.from(JSON.stringify(rendered.body)),
      state,
      entries: rendered?.entries ?? [],
      offset: this.offset,
    };
    this.bytes = state.length;
    if (projection.internal) return { document, digest: 0n };
    const before = this.before ? documentDigest(this.before) : this.digest;
    this.before = undefined;
    this.digest = documentDigest(document);
    return { document, digest: this.digest - before };
  }

  private sortedParts(): Map<string, JsonObject> {
    return this.parts.size < 2 ? this.parts : new Map([...this.parts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
