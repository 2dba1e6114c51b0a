import { eventsOf } from '../shared/contracts/decode-record.ts';
import type { LogRecord, TransactionRecord } from '../shared/event-log/record.ts';
import type { AccountFact, AccountFold, Folded, JsonObject, PartChange } from './account-fold.ts';
import { accountFoldOf } from './accounts/accounts.ts';

/** Undefined until the account's discovery has been folded. */
type State = JsonObject | undefined;

/**
 * Folds one record into the state of its account and the parts that the account then has in
 * documents. Throws where the record cannot be read as what it claims to be.
 */
export function foldRecord(record: LogRecord, state: State): Folded<State> {
  if (record.type === 'dao') {
    const part = { status: record.status };
    return { state, parts: [{ projection: 'dao_state', key: record.dao, part }] };
  }
  if (record.type === 'jetton_metadata') {
    const { type, kind, uri, metadata } = record;
    return learn(accountFoldOf(kind), state, record, { type, uri, metadata: metadata as JsonObject });
  }
  const fold = accountFoldOf(record.kind);
  if (!fold) return { state, parts: [] };
  if (record.type === 'transaction') return foldTransaction(fold, record, state);
  return record.reason === 'discovered'
    ? fold.start(record)
    : learn(fold, state, record, { type: 'code_changed', codeHash: record.codeHash });
}

function foldTransaction(
  fold: AccountFold<JsonObject>,
  record: TransactionRecord,
  state: State,
): Folded<State> {
  if (!state) throw new Error('a transaction precedes the discovery of its account');
  const parts: PartChange[] = [];
  for (const event of eventsOf(record)) {
    const folded: Folded<JsonObject> = fold.apply(state, event, record);
    state = folded.state;
    parts.push(...folded.parts);
  }
  return { state, parts };
}

function learn(
  fold: AccountFold<JsonObject> | undefined,
  state: State,
  record: LogRecord,
  fact: AccountFact,
): Folded<State> {
  return (state && fold?.learn?.(state, fact, record)) ?? { state, parts: [] };
}
