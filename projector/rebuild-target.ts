import { FatalError, InvalidInputError } from '../shared/errors.ts';
import type { Generation, ReadStore } from '../shared/read-store/read-store.ts';
import { ownGenerations, projectionsVersion } from './generations.ts';

/**
 * The generation that a rebuild builds: the unfinished one of this version, or a new one. `resumes`
 * is false where only a part is rebuilt: copies are begun anew, and so are those of a part that was
 * left unfinished.
 */
export async function rebuildTarget(
  store: ReadStore,
  partitions: number,
  resumes: boolean,
): Promise<Generation> {
  const unfinished = await unfinishedGeneration(store);
  if (unfinished && (await holdsCopies(store, unfinished))) await store.drop(unfinished.id);
  else if (unfinished && resumes && unfinished.partitions === partitions) return unfinished;
  else if (unfinished) throw notFinished(unfinished);
  return store.create(projectionsVersion(), partitions, true);
}

/** What a rebuild of this version has left. */
export async function unfinishedGeneration(store: ReadStore): Promise<Generation | undefined> {
  return (await ownGenerations(store)).findLast(({ building }) => building);
}

/** While a generation is built from the log alone, none of its commits is an edit; every copy is. */
async function holdsCopies(store: ReadStore, { id, partitions }: Generation): Promise<boolean> {
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
