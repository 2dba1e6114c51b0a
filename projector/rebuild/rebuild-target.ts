import type { Config } from '../../shared/config.ts';
import { InvalidInputError } from '../../shared/errors.ts';
import type {
  Checkpoint,
  Generation,
  PartitionBuilding,
  ReadStore,
} from '../../shared/read-store/read-store.ts';
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
  const plan = unfinished && readPlan(WorkFolder.of(config, unfinished.id));
  if (unfinished && (plan ? await goesOn(store, unfinished, plan) : !(await isBegun(store, unfinished)))) {
    if (scoped || unfinished.partitions !== partitions) throw notFinished(unfinished);
    return { generation: unfinished, ...(plan && { plan }) };
  }
  if (unfinished) await giveUp(store, config, unfinished.id);
  return { generation: await store.create(projectionsVersion(), partitions, true) };
}

/** What a rebuild of this version has left. */
export async function unfinishedGeneration(store: ReadStore): Promise<Generation | undefined> {
  return (await ownGenerations(store)).findLast(({ building }) => building);
}

/** Frees what was built of a generation, and what lies in its work folder. */
export async function giveUp(store: ReadStore, config: Config, id: string): Promise<void> {
  await store.drop(id);
  await WorkFolder.of(config, id).remove();
}

/** Whether the plan can be gone by: it copies nothing, and what is written was written by it. */
async function goesOn(
  store: ReadStore,
  unfinished: Generation,
  { id, scoped }: RebuildPlan,
): Promise<boolean> {
  if (scoped) return false;
  return (await checkpointsOf(store, unfinished)).every(
    ({ building }) => writtenBy(id, building) !== undefined,
  );
}

/** Up to where a partition is written by a plan; undefined where another one has written it. */
export function writtenBy(id: string, building: PartitionBuilding | undefined): string | undefined {
  const { plan = id, written = '' } = building ?? {};
  return plan === id || written === '' ? written : undefined;
}

/** Whether something was written into a partition. */
async function isBegun(store: ReadStore, unfinished: Generation): Promise<boolean> {
  return (await checkpointsOf(store, unfinished)).some(({ edits }) => edits > 0);
}

async function checkpointsOf(store: ReadStore, { id, partitions }: Generation): Promise<Checkpoint[]> {
  const writer = await store.openWriter(id);
  const checkpoints: Checkpoint[] = [];
  for (let partition = 0; partition < partitions; partition++)
    checkpoints.push(await writer.checkpoint(partition));
  await writer.close();
  return checkpoints;
}

function notFinished({ id }: Generation): InvalidInputError {
  return new InvalidInputError(
    'REBUILD_UNFINISHED',
    `Generation ${id} is not built yet: finish it with \`rebuild\`, or give it up with \`rebuild --cancel\`, and try again`,
  );
}
