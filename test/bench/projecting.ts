import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { project } from '../../projector/run.ts';
import { openEmbeddedEventLog } from '../../shared/event-log/embedded.ts';
import { openEmbeddedReadStore } from '../../shared/read-store/embedded.ts';
import { batchesOf } from './batches.ts';
import { contributions } from './contributions.ts';
import { temporaryFolder } from './temporary-folder.ts';

const APPENDED_AT_ONCE = 1000;
const silent = pino({ level: 'silent' });

export interface Cost {
  records: number;
  wallMicroseconds: number;
  cpuMicroseconds: number;
}

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
  const cost: Cost = { records: 0, wallMicroseconds: 0, cpuMicroseconds: 0 };

  for (const records of batchesOf(contributions(count), APPENDED_AT_ONCE)) {
    const from = cost.records;
    const [wall, cpu] = [performance.now(), process.cpuUsage()];
    await logWriter.append({ records, state: [], asOf: { seqno: from + 1, time: 1_700_000_000 } });
    for await (const read of log.scan(0, from, from + records.length)) {
      for (let start = 0; start < read.records.length; start += batch) {
        const part = read.records.slice(start, start + batch);
        const offset = read.from + start;
        const last = offset + part.length === read.to;
        await project(
          {
            partition: 0,
            from: offset,
            to: offset + part.length,
            records: part,
            asOf: last ? read.asOf : null,
          },
          writer,
          silent,
        );
      }
    }
    const { user, system } = process.cpuUsage(cpu);
    cost.wallMicroseconds += (performance.now() - wall) * 1000;
    cost.cpuMicroseconds += user + system;
    cost.records += records.length;
    await turn();
  }
  await store.view(async (view) => {
    if ((await view.list('dead_letters/0')).total > 0) throw new Error('the records could not be folded');
  });
  await store.close();
  await log.close();
  return cost;
}
