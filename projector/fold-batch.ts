import type { StoredRecord } from '../shared/event-log/record.ts';
import type { DocumentKey, StoredDocument } from '../shared/read-store/read-store.ts';
import { type AccountDraft, accountDocument, accountKey, loadAccounts } from './account-draft.ts';
import type { PartChange } from './account-fold.ts';
import { deadLetter, settledLetter, WaitsForRecord } from './dead-letters.ts';
import { documentDigest } from './digest.ts';
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

/** A part, whose word it is, and the record that made it so. */
interface Said extends PartChange {
  dao: string;
  account: string;
  offset: number;
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
  const drafts = await loadAccounts(records, load);
  const said: Said[] = [];
  const parked: FoldedBatch['parked'] = [];
  const letters = new Map<number, StoredDocument>();
  for (const stored of records) {
    const { record, offset } = stored;
    const draft = drafts.get(accountKey(record)) as AccountDraft;
    const waiting = draft.parked;
    draft.offset = Math.max(draft.offset, offset);
    try {
      said.push(...foldInto(draft, stored, discarded));
      for (const each of waiting) if (each <= offset) letters.set(each, settledLetter(stored, each));
    } catch (error) {
      if (!waiting.includes(offset)) draft.parked = [...waiting, offset];
      letters.set(offset, deadLetter(stored, error));
      parked.push({ offset, error });
    }
    if (waiting.length > 0 || draft.parked.length > 0) said.push(sayParked(stored, draft.parked[0]));
  }
  const { documents, digest } = await renderDocuments(said, load);
  documents.push(...letters.values());
  for (const [key, draft] of drafts) documents.push(accountDocument(key, draft));
  return { documents, digest, parked, unknown: records.flatMap(({ record }) => unknownIn(record) ?? []) };
}

/**
 * Changes the account only where the whole record could be folded. It waits for nothing that comes
 * before its discovery, which may happen anew.
 */
function foldInto(draft: AccountDraft, { record, offset }: StoredRecord, discarded?: number): Said[] {
  const said: Said[] = [];
  if (offset !== discarded) {
    const startsAnew = record.type === 'account' && record.reason === 'discovered';
    const [first = offset] = draft.parked;
    if (first < offset && !startsAnew) throw new WaitsForRecord(first);
    const { state, parts } = foldRecord(record, draft.state);
    for (const part of parts) said.push({ ...part, dao: record.dao, account: record.account, offset });
    draft.state = state;
  }
  draft.parked = draft.parked.filter((parked) => parked > offset);
  return said;
}

/** A parked account's word in its DAO's state, beside whatever else the account says there. */
function sayParked({ record, offset }: StoredRecord, parked: number | undefined): Said {
  const { dao } = record;
  const part = parked === undefined ? null : { parked };
  return { projection: 'dao_state', key: dao, part, dao, account: `parked ${record.account}`, offset };
}

async function renderDocuments(said: Said[], load: Load): Promise<Pick<FoldedBatch, 'documents' | 'digest'>> {
  const ids = new Map(
    said.map(({ projection, key, dao }) => [`${projection} ${key}`, { model: projection, key, dao }]),
  );
  const stored = await load([...ids.values()]);
  const drafts = new Map(
    [...ids].map(([id, key], index) => [id, new DocumentDraft(key, key.dao, stored[index])] as const),
  );
  for (const { projection, key, account, part, offset } of said)
    drafts.get(`${projection} ${key}`)?.say(account, part, offset);
  const documents: StoredDocument[] = [];
  let digest = 0n;
  for (const draft of drafts.values()) {
    const projection = projectionOf(draft.model);
    const { before, after } = draft.finish(projection);
    documents.push(after);
    if (!projection.internal) digest += documentDigest(after) - (before ? documentDigest(before) : 0n);
  }
  return { documents, digest };
}
