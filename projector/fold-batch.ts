import type { StoredRecord } from '../shared/event-log/record.ts';
import type { DocumentKey, StoredDocument } from '../shared/read-store/read-store.ts';
import { accountDocument, loadAccounts } from './account-draft.ts';
import type { PartChange } from './account-fold.ts';
import { DocumentDraft } from './document-draft.ts';
import { AccountsFold, type Parked } from './fold-accounts.ts';
import type { Sighting } from './unknown.ts';

/** Reads documents as they stand before the batch, in the order of the keys. */
export type Load = (keys: DocumentKey[]) => Promise<(StoredDocument | undefined)[]>;

export interface FoldedBatch {
  documents: StoredDocument[];
  /** What the batch adds to the digest, modulo 2^256. */
  digest: bigint;
  /** Records that could not be folded; they are among the documents, as dead letters. */
  parked: Parked[];
  /** What nobody reads, in the order of the records. */
  unknown: Sighting[];
}

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
  const said: Said[] = [];
  const unknown: Sighting[] = [];
  const fold = new AccountsFold(
    (change, account, stored) => said.push({ change, account, stored }),
    (sighting) => unknown.push(sighting),
  );
  for (const [key, account] of await loadAccounts(records, load)) fold.accounts.set(key, account);
  for (const stored of records) fold.fold(stored, discarded);
  const drafts = await loadDrafts(said, load);
  for (const { change, account, stored } of said)
    drafts.get(idOf(change))?.say(account, change.part, stored.offset);

  const documents: StoredDocument[] = [];
  let digest = 0n;
  for (const draft of drafts.values()) {
    const finished = draft.finish();
    documents.push(finished.document);
    digest += finished.digest;
  }
  documents.push(...fold.letters.values());
  for (const [key, account] of fold.accounts) documents.push(accountDocument(key, account));
  return { documents, digest, parked: fold.parked, unknown };
}

/** The documents that somebody has said something in, as they stand before the batch. */
async function loadDrafts(said: Said[], load: Load): Promise<Map<string, DocumentDraft>> {
  const touched = new Map<string, DocumentKey & { dao: string }>();
  for (const { change, stored } of said) {
    const { projection: model, key } = change;
    touched.set(idOf(change), { model, key, dao: stored.record.dao });
  }
  const stored = await load([...touched.values()].map(({ model, key }) => ({ model, key })));
  return new Map(
    [...touched].map(([id, { model, key, dao }], index) => [
      id,
      new DocumentDraft({ model, key }, dao, stored[index]),
    ]),
  );
}

function idOf({ projection, key }: PartChange): string {
  return `${projection}\0${key}`;
}
