import { accountChange } from '../../indexer/tracked-accounts.ts';
import type { AppendBatch, StateChange } from '../../shared/event-log/event-log.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { batchesOf } from './batches.ts';
import { contributions } from './contributions.ts';

/** As many records as the indexer appends at once. */
const RECORDS_PER_APPEND = 500;

/** Contributions as the indexer appends them: with the entry of each account that they are of, and an as-of. */
export function appendsOf(count: number): AppendBatch[] {
  return [...batchesOf(contributions(count), RECORDS_PER_APPEND)].map((records, n) => ({
    records,
    state: stateOf(records),
    asOf: { seqno: n + 1, time: 1_700_000_000 + n },
  }));
}

function stateOf(records: LogRecord[]): StateChange[] {
  const changes = new Map<string, StateChange>();
  for (const record of records) {
    if (record.type !== 'transaction') continue;
    const { dao, account, kind, codeHash, lt, hash } = record;
    const last = { lt, hash };
    const change = accountChange({
      dao,
      account,
      kind,
      parent: dao,
      codeHash,
      last,
      tip: null,
      wallet: null,
    });
    changes.set(change.key, change);
  }
  return [...changes.values()];
}
