import { join } from 'node:path';
import type { StoredRecord } from '../../../shared/event-log/record.ts';
import { batchesOf } from '../batches.ts';
import { contributions } from '../contributions.ts';
import { type Cost, spend } from '../cost.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Emmett, InlineProjection, RecordEvent } from './emmett.ts';
import { SqliteDocuments } from './sqlite-documents.ts';

/** As in `projectContributions`. */
const APPENDED_AT_ONCE = 1000;

/** Where Emmett projects: in the transaction of each append, or in a consumer that reads the log. */
export type Projecting = 'inline' | 'consumer';

/**
 * Appends records of contributions to Emmett's log, a stream for each account and an append for what
 * a batch has of it, and folds them into tables. What it costs to think the records up is not counted.
 */
export async function projectWithEmmett(
  emmett: Emmett,
  count: number,
  projecting: Projecting,
): Promise<Cost> {
  const fileName = join(temporaryFolder('emmett'), 'log.sqlite');
  const documents = new SqliteDocuments();
  const projection: InlineProjection['projection'] = {
    name: 'documents',
    canHandle: ['record'],
    handle: (events, { connection }) =>
      documents.fold(
        events.map(({ data }) => data),
        connection,
      ),
  };
  const connection = emmett.sqliteConnection({ fileName });
  await SqliteDocuments.create(connection);
  connection.close();
  const store = emmett.getSQLiteEventStore({
    fileName,
    projections: projecting === 'inline' ? [{ type: 'inline', projection }] : [],
  });

  const cost: Cost = { records: 0, wallMicroseconds: 0, cpuMicroseconds: 0, digest: '' };
  for (const records of batchesOf(contributions(count), APPENDED_AT_ONCE)) {
    const from = cost.records;
    await spend(cost, async () => {
      const stored = records.map((record, index) => ({ partition: 0, offset: from + index, record }));
      for (const [account, events] of streamsOf(stored))
        await again(documents, () => store.appendToStream(account, events));
    });
    cost.records += records.length;
  }
  if (projecting === 'consumer') {
    let seen = 0;
    const consumer = store.consumer({ pulling: { batchSize: APPENDED_AT_ONCE } });
    consumer.processor({
      processorId: projection.name,
      startFrom: 'BEGINNING',
      eachMessage: (event, context) => projection.handle([event], context),
      stopAfter: () => ++seen === count,
    });
    await spend(cost, () => consumer.start());
    await consumer.close();
  }
  return { ...cost, digest: documents.digest };
}

/** Now and then SQLite takes a statement of Emmett's for unfinished and refuses the commit: nothing has changed then. */
async function again(documents: SqliteDocuments, append: () => Promise<unknown>): Promise<void> {
  const { digest } = documents;
  for (;;)
    try {
      await append();
      return;
    } catch (error) {
      if (!String(error).includes('SQLITE_BUSY')) throw error;
      documents.digest = digest;
    }
}

function streamsOf(records: StoredRecord[]): Map<string, RecordEvent[]> {
  const streams = new Map<string, RecordEvent[]>();
  for (const data of records) {
    const { account } = data.record;
    const events = streams.get(account);
    const event: RecordEvent = { type: 'record', data };
    if (events) events.push(event);
    else streams.set(account, [event]);
  }
  return streams;
}
