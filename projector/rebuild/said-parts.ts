import type { StoredRecord } from '../../shared/event-log/record.ts';
import type { StoredDocument } from '../../shared/read-store/read-store.ts';
import { ACCOUNTS, type AccountDraft, accountDocument } from '../account-draft.ts';
import type { JsonObject, PartChange } from '../account-fold.ts';
import { DEAD_LETTERS } from '../dead-letters.ts';
import { type DocumentRow, madeOf, type PartsRow, rowId, type WholeRow } from './document-rows.ts';

/** What accounts have said in a document, the last word of each; most have one account. */
interface SaidDocument {
  dao: string;
  offset: number;
  account: string;
  part: JsonObject | null;
  others: Map<string, JsonObject | null> | undefined;
}

/** About what a document takes in memory beside its parts. */
const DOCUMENT_BYTES = 600;

/** What the accounts of a shard have said in documents and is not written yet. */
export class SaidParts {
  /** By read model, then key. */
  private readonly models = new Map<string, Map<string, SaidDocument>>();
  /** About what it takes in memory. */
  bytes = 0;

  say({ projection, key, part }: PartChange, account: string, { record, offset }: StoredRecord): void {
    let documents = this.models.get(projection);
    if (!documents) this.models.set(projection, (documents = new Map()));
    const document = documents.get(key);
    if (!document) {
      documents.set(key, { dao: record.dao, offset, account, part, others: undefined });
      this.bytes += DOCUMENT_BYTES;
      return;
    }
    document.offset = Math.max(document.offset, offset);
    if (document.account === account) document.part = part;
    else (document.others ??= new Map()).set(account, part);
  }

  /** All of it, with dead letters and accounts, as rows in the order of what they begin with. */
  *rows(letters: StoredDocument[], accounts: ReadonlyMap<string, AccountDraft>): Generator<DocumentRow> {
    const texts = new WeakMap<JsonObject, string>();
    const models = [...this.models.keys(), ACCOUNTS, DEAD_LETTERS].sort();
    for (const model of models) {
      if (model === ACCOUNTS)
        for (const key of [...accounts.keys()].sort())
          yield wholeRow(accountDocument(key, accounts.get(key) as AccountDraft));
      else if (model === DEAD_LETTERS) yield* letters.sort((a, b) => (a.key < b.key ? -1 : 1)).map(wholeRow);
      else {
        const documents = this.models.get(model) as Map<string, SaidDocument>;
        for (const key of [...documents.keys()].sort())
          yield partsRow(model, key, documents.get(key) as SaidDocument, texts);
      }
    }
  }

  clear(): void {
    this.models.clear();
    this.bytes = 0;
  }
}

/** `texts`: of parts that were met before, since one part is often said in several documents. */
function partsRow(
  model: string,
  key: string,
  { dao, offset, account, part, others }: SaidDocument,
  texts: WeakMap<JsonObject, string>,
): PartsRow {
  const textOf = (said: JsonObject | null) => {
    if (!said) return null;
    let text = texts.get(said);
    if (text === undefined) texts.set(said, (text = JSON.stringify(said)));
    return text;
  };
  const parts = [account, textOf(part)];
  for (const [other, said] of others ?? []) parts.push(other, textOf(said));
  const made = others ? null : madeOf({ model, key, dao, offset }, account, part);
  return [rowId(model, key), dao, offset, parts, made];
}

function wholeRow({ model, key, dao, body, state, entries, offset }: StoredDocument): WholeRow {
  return [rowId(model, key), dao, offset, null, body, state, entries];
}
