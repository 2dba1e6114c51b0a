import pRetry from 'p-retry';
import { FatalError, InvalidInputError, RetryableError } from '../shared/errors.ts';
import type { EventLog } from '../shared/event-log/event-log.ts';
import type { StoredRecord } from '../shared/event-log/record.ts';
import type { GenerationWriter } from '../shared/read-store/read-store.ts';
import { loadAccount } from './account-draft.ts';
import { messageOf } from './dead-letters.ts';
import { addDigests } from './digest.ts';
import { foldBatch } from './fold-batch.ts';

/** An account some of whose records are parked. */
export interface ParkedAccount {
  partition: number;
  dao: string;
  account: string;
}

export interface Retried extends ParkedAccount {
  /** Records that are folded now. */
  folded: number;
  /** Records that are parked still or again. */
  parked: number;
  /** Why the first of those could not be folded. */
  error?: string;
}

/** Where records are read from and documents are kept. */
export interface RetryStores {
  log: Pick<EventLog, 'scan'>;
  writer: GenerationWriter;
}

const MAX_RECORDS = 1000;
/** A projector that catches up commits many times a second, each time before us. */
const ATTEMPTS = 100;

/**
 * Folds the parked records of an account again, from the log and in order. Each commit is an edit
 * of the checkpoint, so that a projector at work on the same partition reads its batch again.
 */
export async function retryAccount(stores: RetryStores, account: ParkedAccount): Promise<Retried> {
  const retried: Retried = { ...account, folded: 0, parked: 0 };
  for (;;) {
    const { folded, parked, error } = await commitSurely(stores, account);
    retried.folded += folded;
    retried.parked = parked;
    if (parked === 0 || error !== undefined) return error === undefined ? retried : { ...retried, error };
  }
}

/**
 * Gives up the parked record at `offset`, which must be the first of its account: it then means
 * nothing, and those behind it are folded. A rebuild meets it again.
 */
export async function discardRecord(
  stores: RetryStores,
  account: ParkedAccount,
  offset: number,
): Promise<Retried> {
  const first = await commitSurely(stores, account, offset);
  const folded = first.folded - 1;
  if (first.parked === 0 || first.error !== undefined) return { ...account, ...first, folded };
  const rest = await retryAccount(stores, account);
  return { ...rest, folded: folded + rest.folded };
}

type Edit = Pick<Retried, 'folded' | 'parked' | 'error'>;

function commitSurely(stores: RetryStores, account: ParkedAccount, discarded?: number): Promise<Edit> {
  return pRetry(() => commitEdit(stores, account, discarded), {
    retries: ATTEMPTS,
    minTimeout: 10,
    maxTimeout: 500,
    randomize: true,
    shouldRetry: ({ error }) => error instanceof RetryableError,
  });
}

/** One commit of up to 1000 parked records, or a RetryableError where a projector was quicker. */
async function commitEdit(
  { log, writer }: RetryStores,
  account: ParkedAccount,
  discarded?: number,
): Promise<Edit> {
  const { partition } = account;
  const load: GenerationWriter['load'] = (keys) => writer.load(keys);
  const checkpoint = await writer.checkpoint(partition);
  const { parked } = await loadAccount(account, load);
  if (discarded !== undefined && discarded !== parked[0]) throw notFirst(account, discarded, parked[0]);
  if (parked.length === 0) return { folded: 0, parked: 0 };
  const records: StoredRecord[] = [];
  for (const offset of parked.slice(0, MAX_RECORDS))
    for await (const batch of log.scan(partition, offset, offset + 1)) records.push(...batch.records);
  if (records.length === 0) throw beyondLog(account);
  const folded = await foldBatch(records, load, discarded);
  const outcome = await writer.commit({
    partition,
    base: { offset: checkpoint.offset, edits: checkpoint.edits },
    checkpoint: {
      ...checkpoint,
      digest: addDigests(checkpoint.digest, folded.digest),
      edits: checkpoint.edits + 1,
    },
    documents: folded.documents,
  });
  if (outcome === 'conflict')
    throw new RetryableError(
      'CHECKPOINT_MOVED',
      `partition ${partition} is being folded all the time: try again, or when its projector has caught up`,
    );
  const left = (await loadAccount(account, load)).parked;
  const failed = folded.parked.find(({ offset }) => left.includes(offset));
  return {
    folded: records.filter(({ offset }) => !left.includes(offset)).length,
    parked: left.length,
    ...(failed && { error: messageOf(failed.error) }),
  };
}

function beyondLog({ partition, account }: ParkedAccount): FatalError {
  return new FatalError(
    'CHECKPOINT_BEYOND_LOG',
    `The log does not hold the parked records of ${account} in partition ${partition}: ` +
      'the log and the read models are not of one service; restore both from one backup, or rebuild',
  );
}

function notFirst({ partition, account }: ParkedAccount, offset: number, first: number | undefined) {
  return new InvalidInputError(
    'DEAD_LETTER_NOT_FIRST',
    first === undefined
      ? `No record of ${account} is parked any more`
      : `The record at ${partition}/${offset} waits for the one at ${partition}/${first}: discard that one first`,
  );
}
