import type { Config } from '../../shared/config.ts';
import { FatalError, InvalidInputError } from '../../shared/errors.ts';
import type { Generation, ReadStore } from '../../shared/read-store/read-store.ts';
import { ownGenerations, projectionsVersion } from '../generations.ts';
import { type RebuildPlan, readPlan } from './plan.ts';
import { WorkFolder } from './work-folder.ts';

export interface RebuildTarget {
  generation: Generation;
  /** What an earlier attempt has set out to do. */
  plan?: RebuildPlan;
}

/**
 * The generation that a rebuild builds: the unfinished one of this version, or a new one. Where only a
 * part is rebuilt (`scoped`) it is begun anew, and so is what was left unfinished of a part, or
 * without the work folder that it goes on from.
 */
export async function rebuildTarget(
  store: ReadStore,
  config: Config,
  partitions: number,
  scoped: boolean,
): Promise<RebuildTarget> {
  const building = (await store.generations()).filter((each) => each.building);
  await WorkFolder.sweep(
    config,
    building.map(({ id }) => id),
  );
  const unfinished = await unfinishedGeneration(store);
  const plan = unfinished && readPlan(new WorkFolder(config, unfinished.id));
  if (unfinished && !(plan ? plan.scoped : await isBegun(store, unfinished))) {
    if (scoped || unfinished.partitions !== partitions) throw notFinished(unfinished);
    return { generation: unfinished, ...(plan && { plan }) };
  }
  if (unfinished) await store.drop(unfinished.id);
  return { generation: await store.create(projectionsVersion(), partitions, true) };
}

/** What a rebuild of this version has left. */
export async function unfinishedGeneration(store: ReadStore): Promise<Generation | undefined> {
  return (await ownGenerations(store)).findLast(({ building }) => building);
}

/** Whether something was written into a partition that is not whole. */
async function isBegun(store: ReadStore, { id, partitions }: Generation): Promise<boolean> {
  const writer = await store.openWriter(id);
  try {
    for (let partition = 0; partition < partitions; partition++)
      if ((await writer.checkpoint(partition)).edits > 0) return true;
    return false;
  } finally {
    await writer.close();
  }
}

export function rebuildElsewhere(): FatalError {
  return new FatalError(
    'REBUILD_ELSEWHERE',
    'Another process builds the same generation: let it go on, or stop it and run `rebuild` again, which resumes',
  );
}

function notFinished({ id }: Generation): InvalidInputError {
  return new InvalidInputError(
    'REBUILD_UNFINISHED',
    `Generation ${id} is not built yet: finish it with \`rebuild\`, or give it up with \`rebuild --cancel\`, and try again`,
  );
}
