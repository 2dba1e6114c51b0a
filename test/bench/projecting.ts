import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { project } from '../../projector/run.ts';
import { openEmbeddedEventLog } from '../../shared/event-log/embedded.ts';
import type { LogBatch } from '../../shared/event-log/event-log.ts';
import type { StoredRecord } from '../../shared/event-log/record.ts';
import { openEmbeddedReadStore } from '../../shared/read-store/embedded.ts';
import { batchesOf } from './batches.ts';
import { contributions } from './contributions.ts';
import { type Cost, spend } from './cost.ts';
import { temporaryFolder } from './temporary-folder.ts';

const APPENDED_AT_ONCE = 1000;
const silent = pino({ level: 'silent' });

/**
 * Appends records of contributions to a log and folds them, `batch` of them to a commit. What it
 * costs to think the records up is not counted.
 */
export async function projectContributions(count: number, batch: number): Promise<Cost> {
  const dir = temporaryFolder('projecting');
  const log = await openEmbeddedEventLog(dir, 1);
  const store = await openEmbeddedReadStore(dir);
  const { id } = await store.create('bench', 1);
  const [logWriter, writer] = [await log.openWriter(), await store.openWriter(id)];
  const cost: Cost = { records: 0, wallMicroseconds: 0, cpuMicroseconds: 0, digest: '' };

  for (const records of batchesOf(contributions(count), APPENDED_AT_ONCE)) {
    const from = cost.records;
    await spend(cost, async () => {
      await logWriter.append({ records, state: [], asOf: { seqno: from + 1, time: 1_700_000_000 } });
      for await (const read of log.scan(0, from, from + records.length))
        for (const part of batchesOf(read.records, batch))
          await project(commitOf(part, read), writer, silent);
    });
    cost.records += records.length;
    await turn();
  }
  cost.digest = (await writer.checkpoint(0)).digest;
  await store.view(async (view) => {
    if ((await view.list('dead_letters/0')).total > 0) throw new Error('the records could not be folded');
  });
  await store.close();
  await log.close();
  return cost;
}

/** Part of what was read; as of its last block where it goes to the end of it. */
function commitOf(records: StoredRecord[], read: LogBatch): LogBatch {
  const from = records[0]?.offset ?? read.from;
  const to = from + records.length;
  return { partition: 0, from, to, records, asOf: to === read.to ? read.asOf : null };
}
