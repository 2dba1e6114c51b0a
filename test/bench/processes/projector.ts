import { peakMemory } from '../peak-memory.ts';
import { projectContributions } from '../projecting.ts';

export interface ProjectorTask {
  records: number;
  /** Records to a commit. */
  batch: number;
}

// One task after the other in one process, so that none is measured while code is still compiled.
process.on('message', ({ records, batch }: ProjectorTask) => {
  void projectContributions(records, batch).then((cost) => process.send?.({ ...cost, ...peakMemory() }));
});
process.once('disconnect', () => process.exit());
