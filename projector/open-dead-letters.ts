import { FatalError, InvalidInputError } from '../shared/errors.ts';
import type { EventLog } from '../shared/event-log/event-log.ts';
import type { LogRecord } from '../shared/event-log/record.ts';
import type { Generation, GenerationWriter, ReadStore } from '../shared/read-store/read-store.ts';
import { DEAD_LETTERS, type DeadLetter, deadLettersOf } from './dead-letters.ts';
import { projectionsVersion } from './generations.ts';
import { discardRecord, type Retried, retryAccount } from './retry.ts';

const PAGE = 1000;

interface DeadLetterStores {
  log: EventLog;
  store: ReadStore;
}

/** The open dead letters of a generation, in the order of the log; those of one DAO where it is given. */
export async function* openDeadLetters(
  store: ReadStore,
  { id, partitions }: Generation,
  dao?: string,
): AsyncGenerator<DeadLetter> {
  for (let partition = 0; partition < partitions; partition++)
    for (let offset = 0, total = 1; offset < total; offset += PAGE) {
      const page = await store.view((view) => view.page(deadLettersOf(partition), offset, PAGE), id);
      total = page?.total ?? 0;
      for (const item of page?.items ?? []) {
        const letter = JSON.parse(item.toString()) as DeadLetter;
        if (dao === undefined || letter.dao === dao) yield letter;
      }
    }
}

/** The dead letter at a place, `<partition>/<offset>`. */
export async function findDeadLetter(
  store: ReadStore,
  { id }: Generation,
  place: string,
): Promise<DeadLetter> {
  const document = await store.view((view) => view.get(DEAD_LETTERS, place), id);
  if (document) return JSON.parse(document.body.toString()) as DeadLetter;
  throw new InvalidInputError(
    'DEAD_LETTER_UNKNOWN',
    `No record is parked at ${place} in generation ${id}: \`dead-letters list\` shows the places, as <partition>/<offset>`,
  );
}

/** The record of a dead letter as the log holds it. */
export async function recordOf(log: EventLog, { partition, offset }: DeadLetter): Promise<LogRecord | null> {
  for await (const { records } of log.scan(partition, offset, offset + 1))
    for (const { record } of records) return record;
  return null;
}

/** Folds the parked records of the accounts of these dead letters again, account by account. */
export async function* retryDeadLetters(
  { log, store }: DeadLetterStores,
  generation: Generation,
  letters: AsyncIterable<DeadLetter> | DeadLetter[],
): AsyncGenerator<Retried> {
  const accounts = new Map<string, DeadLetter>();
  for await (const letter of letters) {
    const key = `${letter.dao}/${letter.account}`;
    if (!accounts.has(key)) accounts.set(key, letter);
  }
  const writer = await openOwnWriter(store, generation);
  try {
    for (const { partition, dao, account } of accounts.values())
      yield await retryAccount({ log, writer }, { partition, dao, account });
  } finally {
    await writer.close();
  }
}

/** Gives up the first parked record of an account; see `discardRecord`. */
export async function discardDeadLetter(
  { log, store }: DeadLetterStores,
  generation: Generation,
  { partition, dao, account, offset }: DeadLetter,
): Promise<Retried> {
  const writer = await openOwnWriter(store, generation);
  try {
    return await discardRecord({ log, writer }, { partition, dao, account }, offset);
  } finally {
    await writer.close();
  }
}

async function openOwnWriter(store: ReadStore, generation: Generation): Promise<GenerationWriter> {
  const { id, projections, building } = generation;
  if (building)
    throw new FatalError(
      'GENERATION_BUILDING',
      `Generation ${id} is not built yet: let its rebuild end first`,
    );
  if (projections !== projectionsVersion())
    throw new FatalError(
      'GENERATION_OF_ANOTHER_VERSION',
      `Generation ${id} is folded by version ${projections} of the projections, and this is ${projectionsVersion()}: ` +
        'run the command of that version, or rebuild with this one',
    );
  return store.openWriter(id);
}
