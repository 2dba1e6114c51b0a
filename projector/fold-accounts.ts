import type { LogRecord, StoredRecord } from '../shared/event-log/record.ts';
import type { StoredDocument } from '../shared/read-store/read-store.ts';
import { type AccountDraft, accountKey, newAccount } from './account-draft.ts';
import type { PartChange } from './account-fold.ts';
import { deadLetter, settledLetter, WaitsForRecord } from './dead-letters.ts';
import { foldRecord } from './fold-record.ts';
import { type Sighting, unknownIn } from './unknown.ts';

/** Is told a part, whose word it is, and the record that made it so. */
export type Say = (change: PartChange, account: string, stored: StoredRecord) => void;

/** A record that could not be folded. */
export interface Parked {
  offset: number;
  error: unknown;
}

/** Folds the records of accounts, each account's in order, in memory. */
export class AccountsFold {
  /** By key; whoever has an account stored puts it here before its records come. */
  readonly accounts = new Map<string, AccountDraft>();
  /** Dead letters by offset. */
  readonly letters = new Map<number, StoredDocument>();
  readonly parked: Parked[] = [];
  private readonly say: Say;
  private readonly sighted: (sighting: Sighting, offset: number) => void;

  /** `say` is told what the accounts say in documents, `sighted` what nobody reads in the records. */
  constructor(say: Say, sighted: (sighting: Sighting, offset: number) => void) {
    this.say = say;
    this.sighted = sighted;
  }

  /** The one at offset `discarded` means nothing. */
  fold(stored: StoredRecord, discarded?: number): void {
    const { record, offset } = stored;
    const draft = this.accountOf(record);
    const waiting = draft.parked;
    draft.offset = Math.max(draft.offset, offset);
    try {
      foldInto(draft, stored, this.say, discarded);
      for (const each of waiting) if (each <= offset) this.letters.set(each, settledLetter(stored, each));
    } catch (error) {
      if (!waiting.includes(offset)) draft.parked = [...waiting, offset];
      this.letters.set(offset, deadLetter(stored, error));
      this.parked.push({ offset, error });
    }
    if (waiting.length > 0 || draft.parked.length > 0) this.sayParked(stored, draft.parked[0]);
    this.sight(stored);
  }

  /** Counts what nobody reads in the record; folding it does this too. */
  sight({ record, offset }: StoredRecord): void {
    const sighting = unknownIn(record);
    if (sighting) this.sighted(sighting, offset);
  }

  /** A parked account's word in its DAO's state, beside whatever else the account says there. */
  private sayParked(stored: StoredRecord, parked: number | undefined): void {
    const { dao, account } = stored.record;
    const part = parked === undefined ? null : { parked };
    this.say({ projection: 'dao_state', key: dao, part }, `parked ${account}`, stored);
  }

  private accountOf(record: LogRecord): AccountDraft {
    const key = accountKey(record);
    let draft = this.accounts.get(key);
    if (!draft) this.accounts.set(key, (draft = newAccount(record.dao)));
    return draft;
  }
}

/**
 * Changes the account only where the whole record could be folded. It waits for nothing that comes
 * before its discovery, which may happen anew.
 */
function foldInto(draft: AccountDraft, stored: StoredRecord, say: Say, discarded?: number): void {
  const { record, offset } = stored;
  if (offset !== discarded) {
    const startsAnew = record.type === 'account' && record.reason === 'discovered';
    const [first = offset] = draft.parked;
    if (first < offset && !startsAnew) throw new WaitsForRecord(first);
    const { state, parts } = foldRecord(record, draft.state);
    for (const change of parts) say(change, record.account, stored);
    draft.state = state;
  }
  if (draft.parked.length > 0) draft.parked = draft.parked.filter((parked) => parked > offset);
}
