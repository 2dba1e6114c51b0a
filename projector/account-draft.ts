import type { LogRecord, StoredRecord } from '../shared/event-log/record.ts';
import type { StoredDocument } from '../shared/read-store/read-store.ts';
import type { JsonObject } from './account-fold.ts';
import type { Load } from './fold-batch.ts';

/** The read model of what the folds know of each account. */
export const ACCOUNTS = 'account';

/** What is kept of an account between batches. */
interface StoredAccount {
  state?: JsonObject | undefined;
  /** Offsets of its records that are parked, in order: the first could not be folded, the rest wait for it. */
  parked: number[];
}

/** An account while a batch is folded. */
export interface AccountDraft extends StoredAccount {
  dao: string;
  /** Of the last record folded into it. */
  offset: number;
}

/** The accounts of the records, by key, as they stand before the batch. */
export async function loadAccounts(records: StoredRecord[], load: Load): Promise<Map<string, AccountDraft>> {
  const daos = new Map(records.map(({ record }) => [accountKey(record), record.dao]));
  const stored = await load([...daos.keys()].map((key) => ({ model: ACCOUNTS, key })));
  return new Map([...daos].map(([key, dao], index) => [key, draftOf(dao, stored[index])]));
}

/** One account as it stands. */
export async function loadAccount(
  account: Pick<LogRecord, 'dao' | 'account'>,
  load: Load,
): Promise<AccountDraft> {
  const [stored] = await load([{ model: ACCOUNTS, key: accountKey(account) }]);
  return draftOf(account.dao, stored);
}

function draftOf(dao: string, stored: StoredDocument | undefined): AccountDraft {
  if (!stored?.state) return newAccount(dao);
  const account: StoredAccount = JSON.parse(stored.state.toString());
  return { ...account, dao, offset: stored.offset };
}

/** One that nothing is known of yet. */
export function newAccount(dao: string): AccountDraft {
  return { dao, offset: 0, parked: [] };
}

export function accountKey({ dao, account }: Pick<LogRecord, 'dao' | 'account'>): string {
  return `${dao}/${account}`;
}

export function accountDocument(key: string, { dao, offset, ...account }: AccountDraft): StoredDocument {
  return {
    model: ACCOUNTS,
    key,
    dao,
    body: null,
    state: Buffer.from(JSON.stringify(account)),
    entries: [],
    offset,
  };
}
