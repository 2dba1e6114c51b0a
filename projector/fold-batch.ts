import type { LogRecord, StoredRecord } from '../shared/event-log/record.ts';
import type { DocumentKey, StoredDocument } from '../shared/read-store/read-store.ts';
import { type AccountDraft, accountDocument, accountKey, loadAccounts } from './account-draft.ts';
import type { PartChange } from './account-fold.ts';
import { deadLetter, settledLetter, WaitsForRecord } from './dead-letters.ts';
import { DocumentDraft } from './document-draft.ts';
import { foldRecord } from './fold-record.ts';
import { projectionOf } from './projections/projections.ts';
import { type Sighting, unknownIn } from './unknown.ts';

/** Reads documents as they stand before the batch, in the order of the keys. */
export type Load = (keys: DocumentKey[]) => Promise<(StoredDocument | undefined)[]>;

export interface FoldedBatch {
  documents: StoredDocument[];
  /** What the batch adds to the digest, modulo 2^256. */
  digest: bigint;
  /** Records that could not be folded; they are among the documents, as dead letters. */
  parked: { offset: number; error: unknown }[];
  /** What nobody reads, in the order of the records. */
  unknown: Sighting[];
}

/** About what a document takes in memory beside the bytes of its state. */
const DRAFT_BYTES = 800;

/** A part, whose word it is, and the record that made it so. */
interface Said {
  change: PartChange;
  account: string;
  stored: StoredRecord;
}

/**
 * Folds records of one partition, in order, into the documents that they touch: accounts first, in
 * memory, then each touched document once. The same records give the same bodies, however they are
 * cut into batches. Parked records may come again, if those of an account that were parked before
 * them come too; the one at offset `discarded` then means nothing.
 */
export async function foldBatch(
  records: StoredRecord[],
  load: Load,
  discarded?: number,
): Promise<FoldedBatch> {
  const batch = new BatchFold(load);
  await batch.fold(records, discarded);
  return batch.finish();
}

/** A batch that is folded piece by piece, and whose documents are made at its end. */
export class BatchFold {
  private readonly load: Load;
  private before: BatchFold | undefined;
  private readonly accounts = new Map<string, AccountDraft>();
  /** By read model, then key. */
  private readonly drafts = new Map<string, Map<string, DocumentDraft>>();
  private readonly letters = new Map<number, StoredDocument>();
  private readonly parked: FoldedBatch['parked'] = [];
  private readonly unknown: Sighting[] = [];
  private taken = 0;

  /** `before`: a finished batch that need not be committed yet; it is looked into before anything is loaded. */
  constructor(load: Load, before?: BatchFold) {
    this.load = load;
    this.before = before;
  }

  /** About how many bytes of memory the batch takes. */
  get bytes(): number {
    return this.taken;
  }

  async fold(records: StoredRecord[], discarded?: number): Promise<void> {
    await this.bringAccounts(records);
    const said: Said[] = [];
    for (const stored of records) this.foldRecord(stored, said, discarded);
    await this.bringDocuments(said);
    for (const { change, account, stored } of said)
      this.drafts.get(change.projection)?.get(change.key)?.say(account, change.part, stored.offset);
  }

  /** Counts what nobody reads in the record; folding it does this too. */
  sight(record: LogRecord): void {
    const sighting = unknownIn(record);
    if (sighting) this.unknown.push(sighting);
  }

  finish(): FoldedBatch {
    const documents: StoredDocument[] = [];
    let digest = 0n;
    for (const [model, drafts] of this.drafts) {
      const projection = projectionOf(model);
      for (const draft of drafts.values()) {
        const finished = draft.finish(projection);
        documents.push(finished.document);
        digest += finished.digest;
      }
    }
    documents.push(...this.letters.values());
    for (const [key, draft] of this.accounts) documents.push(accountDocument(key, draft));
    this.before = undefined;
    return { documents, digest, parked: this.parked, unknown: this.unknown };
  }

  private foldRecord(stored: StoredRecord, said: Said[], discarded?: number): void {
    const { record, offset } = stored;
    const draft = this.accounts.get(accountKey(record)) as AccountDraft;
    const waiting = draft.parked;
    draft.offset = Math.max(draft.offset, offset);
    try {
      foldInto(draft, stored, said, discarded);
      for (const each of waiting) if (each <= offset) this.letters.set(each, settledLetter(stored, each));
    } catch (error) {
      if (!waiting.includes(offset)) draft.parked = [...waiting, offset];
      this.letters.set(offset, deadLetter(stored, error));
      this.parked.push({ offset, error });
    }
    this.taken += bodyBytes(record);
    if (waiting.length > 0 || draft.parked.length > 0) said.push(sayParked(stored, draft.parked[0]));
    this.sight(record);
  }

  private async bringAccounts(records: StoredRecord[]): Promise<void> {
    const missing = new Map<string, StoredRecord>();
    for (const stored of records) {
      const key = accountKey(stored.record);
      if (this.accounts.has(key) || missing.has(key)) continue;
      const known = this.before?.accounts.get(key);
      this.taken += DRAFT_BYTES;
      if (known) this.accounts.set(key, known);
      else missing.set(key, stored);
    }
    for (const [key, draft] of await loadAccounts([...missing.values()], this.load))
      this.accounts.set(key, draft);
  }

  private async bringDocuments(said: Said[]): Promise<void> {
    const missing: { model: string; key: string; dao: string; drafts: Map<string, DocumentDraft> }[] = [];
    for (const { change, stored } of said) {
      const { projection: model, key } = change;
      const drafts = this.drafts.get(model) ?? new Map<string, DocumentDraft>();
      if (drafts.size === 0) this.drafts.set(model, drafts);
      if (drafts.has(key)) continue;
      const known = this.before?.drafts.get(model)?.get(key);
      this.taken += DRAFT_BYTES + (known?.bytes ?? 0);
      // Its place is taken at once, so that it is loaded once.
      drafts.set(key, known ?? new DocumentDraft({ model, key }, stored.record.dao, undefined));
      if (!known) missing.push({ model, key, dao: stored.record.dao, drafts });
    }
    const stored = await this.load(missing.map(({ model, key }) => ({ model, key })));
    for (const [index, { model, key, dao, drafts }] of missing.entries()) {
      const document = stored[index];
      if (!document) continue;
      const draft = new DocumentDraft({ model, key }, dao, document);
      this.taken += draft.bytes;
      drafts.set(key, draft);
    }
  }
}

/**
 * Changes the account only where the whole record could be folded. It waits for nothing that comes
 * before its discovery, which may happen anew.
 */
function foldInto(draft: AccountDraft, stored: StoredRecord, said: Said[], discarded?: number): void {
  const { record, offset } = stored;
  if (offset !== discarded) {
    const startsAnew = record.type === 'account' && record.reason === 'discovered';
    const [first = offset] = draft.parked;
    if (first < offset && !startsAnew) throw new WaitsForRecord(first);
    const { state, parts } = foldRecord(record, draft.state);
    for (const change of parts) said.push({ change, account: record.account, stored });
    draft.state = state;
  }
  if (draft.parked.length > 0) draft.parked = draft.parked.filter((parked) => parked > offset);
}

/** A parked account's word in its DAO's state, beside whatever else the account says there. */
function sayParked(stored: StoredRecord, parked: number | undefined): Said {
  const { dao, account } = stored.record;
  const part = parked === undefined ? null : { parked };
  return { change: { projection: 'dao_state', key: dao, part }, account: `parked ${account}`, stored };
}

/** What of a record may find its way into documents. */
function bodyBytes(record: LogRecord): number {
  if (record.type === 'jetton_metadata') return JSON.stringify(record.metadata).length;
  if (record.type !== 'transaction') return 0;
  return record.out.reduce((sum, { body }) => sum + body.length, record.in?.body.length ?? 0);
}
