import type { LogRecord, StoredRecord } from '../shared/event-log/record.ts';
import type { DocumentKey, StoredDocument } from '../shared/read-store/read-store.ts';
import type { JsonObject, PartChange } from './account-fold.ts';
import { deadLetter } from './dead-letters.ts';
import { documentDigest } from './digest.ts';
import { DocumentDraft } from './document-draft.ts';
import { foldRecord } from './fold-record.ts';
import { projectionOf } from './projections/projections.ts';

/** Reads documents as they stand before the batch, in the order of the keys. */
export type Load = (keys: DocumentKey[]) => Promise<(StoredDocument | undefined)[]>;

export interface FoldedBatch {
  documents: StoredDocument[];
  /** What the batch adds to the digest, modulo 2^256. */
  digest: bigint;
  /** Records that could not be folded; they are among the documents, as dead letters. */
  parked: { offset: number; error: unknown }[];
}

/** An account between batches. */
interface AccountDraft {
  state?: JsonObject | undefined;
  /** Offset of a record of the account that could not be folded: those that follow wait for it. */
  parked?: number;
}

/** A part, whose word it is, and the record that made it so. */
interface Said extends PartChange {
  dao: string;
  account: string;
  offset: number;
}

const ACCOUNTS = 'account';

/**
 * Folds records of one partition, in order, into the documents that they touch: accounts first, in
 * memory, then each touched document once. The same records give the same bodies, however they are
 * cut into batches.
 */
export async function foldBatch(records: StoredRecord[], load: Load): Promise<FoldedBatch> {
  const drafts = await loadAccounts(records, load);
  const said: Said[] = [];
  const parked: FoldedBatch['parked'] = [];
  const documents: StoredDocument[] = [];
  for (const stored of records) {
    const draft = drafts.get(accountKey(stored.record)) as LoadedDraft;
    draft.offset = stored.offset;
    try {
      said.push(...foldInto(draft, stored));
    } catch (error) {
      draft.parked ??= stored.offset;
      said.push(sayParked(stored, { parked: draft.parked }));
      parked.push({ offset: stored.offset, error });
      documents.push(deadLetter(stored, error));
    }
  }
  const rendered = await renderDocuments(said, load);
  documents.push(...rendered.documents);
  for (const [key, draft] of drafts) documents.push(accountDocument(key, draft));
  return { documents, digest: rendered.digest, parked };
}

/** Changes the account only where the whole record could be folded. */
function foldInto(draft: AccountDraft, stored: StoredRecord): Said[] {
  const { record, offset } = stored;
  const startsAnew = record.type === 'account' && record.reason === 'discovered';
  if (draft.parked !== undefined && !startsAnew)
    throw new Error(`waits for the record at offset ${draft.parked}`);
  const { state, parts } = foldRecord(record, draft.state);
  const said = parts.map((part): Said => ({ ...part, dao: record.dao, account: record.account, offset }));
  if (draft.parked !== undefined) said.push(sayParked(stored, null));
  draft.state = state;
  delete draft.parked;
  return said;
}

/** A parked account's word in its DAO's state, beside whatever else the account says there. */
function sayParked({ record, offset }: StoredRecord, part: JsonObject | null): Said {
  const { dao } = record;
  return { projection: 'dao_state', key: dao, part, dao, account: `parked ${record.account}`, offset };
}

type LoadedDraft = AccountDraft & { dao: string; offset: number };

async function loadAccounts(records: StoredRecord[], load: Load): Promise<Map<string, LoadedDraft>> {
  const daos = new Map(records.map(({ record }) => [accountKey(record), record.dao]));
  const stored = await load([...daos.keys()].map((key) => ({ model: ACCOUNTS, key })));
  return new Map(
    [...daos].map(([key, dao], index) => {
      const state = stored[index]?.state;
      const draft = state ? (JSON.parse(state.toString()) as AccountDraft) : {};
      return [key, { ...draft, dao, offset: 0 }];
    }),
  );
}

async function renderDocuments(said: Said[], load: Load): Promise<Omit<FoldedBatch, 'parked'>> {
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

function accountKey({ dao, account }: LogRecord): string {
  return `${dao}/${account}`;
}

function accountDocument(key: string, { dao, offset, ...draft }: LoadedDraft): StoredDocument {
  return {
    model: ACCOUNTS,
    key,
    dao,
    body: null,
    state: Buffer.from(JSON.stringify(draft)),
    entries: [],
    offset,
  };
}
