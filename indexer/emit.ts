import type { ChainTransaction } from '../shared/chain/transaction.ts';
import type { AppendBatch, StateChange } from '../shared/event-log/event-log.ts';
import type { AccountRecord, CampaignFacts, TransactionRecord } from '../shared/event-log/record.ts';
import { BoundedBatch } from './append.ts';
import { codeStep } from './code-hash.ts';
import { metadataWanted } from './jetton-metadata.ts';
import { discoveredRecord, type Reading } from './read-tree.ts';
import { bytesOf, inLtOrder, type Step } from './segment.ts';
import type { Session } from './session.ts';
import { accountChange, type TrackedAccount } from './tracked-accounts.ts';

/**
 * Appends what was read: first the accounts that were discovered, then all transactions by
 * (lt, account), in bounded batches; `last` goes with the final one. Each batch takes its accounts'
 * places along, and a discovered account's entry names the tip that it is to be read to: whatever
 * batch is the last one before a stop, what is missing can be told from the state alone.
 */
export async function emit(
  session: Session,
  readings: Reading[],
  last: Partial<AppendBatch> = {},
  appended?: (transactions: number) => void,
): Promise<void> {
  const batch = new BoundedBatch(session.log, session.limits);
  const accounts = new Map<string, TrackedAccount>();
  const refused: StateChange[] = [];
  const campaignOf = ({ dao, parent, campaign }: TrackedAccount): CampaignFacts | null => {
    const found = accounts.get(`${dao}/${parent}`) ?? session.tracked.of(dao).get(parent ?? '');
    return campaign ?? found?.campaign ?? null;
  };
  for (const reading of readings) {
    for (const { entry, record } of reading.discovered) {
      accounts.set(`${entry.dao}/${entry.account}`, entry);
      if (!record) batch.set(entry);
      else
        await batch.add(
          record,
          500 + (record.data?.length ?? 0),
          entry,
          metadataWanted(session.tracked, record),
        );
    }
    for (const entry of [...reading.stopped, ...reading.settled]) batch.set(entry);
    refused.push(...reading.refused.map((entry) => ({ ...accountChange(entry), value: null })));
  }

  for (const reading of readings) {
    for await (const step of inLtOrder(session.chain, reading.segments)) {
      session.signal.throwIfAborted();
      const { account } = step.segment;
      const key = `${account.dao}/${account.account}`;
      const { record, entry, changed } = take(accounts.get(key) ?? account, step);
      accounts.set(key, entry);
      await batch.add(record, bytesOf(step.transaction), entry, metadataWanted(session.tracked, record));
      if (changed) {
        const correction: AccountRecord = {
          ...discoveredRecord(entry, changed, reading.pin, campaignOf(entry)),
          reason: 'code_changed',
        };
        await batch.add(correction, 500 + (correction.data?.length ?? 0), entry);
      }
      appended?.(1);
    }
  }
  await batch.flush({ ...last, state: [...refused, ...(last.state ?? [])] });
}

/** One transaction further along an account's chain; `changed` where its code is not what the chain told. */
function take(account: TrackedAccount, { segment, transaction, isLast }: Step) {
  const { state } = segment;
  const { ran, next } = codeStep(account.kind, transaction, account.codeHash, state?.codeHash ?? null);
  const { lt, hash } = transaction;
  const entry: TrackedAccount = {
    ...account,
    codeHash: next,
    last: { lt, hash },
    tip: isLast ? null : account.tip,
  };
  const record = transactionRecord(account, transaction, ran);
  if (!isLast || !state || state.status === 'frozen' || state.codeHash === next) {
    return { record, entry, changed: null };
  }
  return { record, entry: { ...entry, codeHash: state.codeHash }, changed: state };
}

function transactionRecord(
  { dao, kind }: TrackedAccount,
  { ranCode: _ran, keepsCode: _keeps, account, ...facts }: ChainTransaction,
  codeHash: string | null,
): TransactionRecord {
  return { version: 1, type: 'transaction', dao, account, kind, codeHash, ...facts };
}
