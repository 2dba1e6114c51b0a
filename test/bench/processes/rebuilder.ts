import { RebuildThreads } from '../../../projector/rebuild/rebuild-threads.ts';
import {
  type FilledLog,
  fillLog,
  RebuildFloor,
  type Spent,
  timeParsing,
  timeRebuild,
} from '../rebuilding.ts';

export type RebuilderTask =
  | { do: 'fill'; records: number; raw: boolean }
  /** The first one says how long threads are kept that have nothing to do. */
  | { do: 'rebuild' | 'floor' | 'parse'; log: FilledLog; idleMs?: number };

// The threads stay, so that none of what is measured waits for them to start. A log is filled in another process,
// whose memory is not that of a rebuild.
let threads: RebuildThreads | undefined;
const floors = new Map<string, RebuildFloor>();

process.on('message', (task: RebuilderTask) => {
  void perform(task).then((answer) => process.send?.(answer));
});
process.once('disconnect', () => process.exit());

async function perform(task: RebuilderTask): Promise<FilledLog | Spent> {
  if (task.do === 'fill') return fillLog(task.records, task.raw);
  threads ??= new RebuildThreads(task.idleMs);
  if (task.do === 'rebuild') return timeRebuild(task.log, threads);
  if (task.do === 'parse') return timeParsing(task.log);
  const floor = floors.get(task.log.dir) ?? (await RebuildFloor.of(task.log, threads));
  floors.set(task.log.dir, floor);
  return floor.time();
}
