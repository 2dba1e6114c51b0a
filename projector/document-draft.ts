import type { DocumentKey, StoredDocument } from '../shared/read-store/read-store.ts';
import type { JsonObject } from './account-fold.ts';
import type { Projection } from './projection.ts';

/** What the accounts concerned have said in a document, kept beside its body for the next batch. */
type StoredParts = { [account: string]: JsonObject };

/** A document while a batch is folded into it. */
export class DocumentDraft {
  private readonly parts: Map<string, JsonObject>;
  private offset: number;
  private readonly key: string;
  readonly model: string;
  private readonly dao: string;
  private readonly before: StoredDocument | undefined;

  constructor({ model, key }: DocumentKey, dao: string, before: StoredDocument | undefined) {
    this.model = model;
    this.key = key;
    this.dao = dao;
    this.before = before;
    this.offset = before?.offset ?? 0;
    const stored = before?.state ? (JSON.parse(before.state.toString()) as StoredParts) : {};
    this.parts = new Map(Object.entries(stored));
  }

  /** Puts what an account has to say now in the place of what it said before. */
  say(account: string, part: JsonObject | null, offset: number): void {
    if (part) this.parts.set(account, part);
    else this.parts.delete(account);
    this.offset = Math.max(this.offset, offset);
  }

  /** The document as the parts make it. Accounts in the order of their addresses: same parts, same bytes. */
  finish(projection: Projection): { before: StoredDocument | undefined; after: StoredDocument } {
    const sorted = new Map([...this.parts].sort(([a], [b]) => (a < b ? -1 : 1)));
    const rendered = projection.render(this.key, sorted);
    const after: StoredDocument = {
      model: this.model,
      key: this.key,
      dao: this.dao,
      body: rendered && Buffer.from(JSON.stringify(rendered.body)),
      state: Buffer.from(JSON.stringify(Object.fromEntries(sorted))),
      entries: rendered?.entries ?? [],
      offset: this.offset,
    };
    return { before: this.before, after };
  }
}
