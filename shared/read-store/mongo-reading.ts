import type { Document } from 'mongodb';
import { RetryableError } from '../errors.ts';
import type { Beginning, MongoCatalogue } from './mongo-catalogue.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { Snapshot } from './mongo-snapshot.ts';

/** A view that has begun again for so long is given up. */
const PATIENCE_MS = 5_000;

interface Reading {
  database: MongoDatabase;
  catalogue: MongoCatalogue;
  /** The live generation where it is undefined. */
  id: string | undefined;
  /** A projection of the rows. */
  fields?: Document;
}

/**
 * Runs `read` on one state: that of the last commits, and again from the beginning where two more of
 * them were applied to one row before it was read, or the generation was dropped. From the second
 * time on all that was asked for before is fetched at once, into which two commits fit hardly ever: to
 * be given up a view has to come late to rows that are new each time. Undefined where nothing is live.
 */
export async function readSnapshot<T>(
  { database, catalogue, id, fields = {} }: Reading,
  read: (snapshot: Snapshot, beginning: Beginning) => Promise<T>,
): Promise<T | undefined> {
  let last: Snapshot | undefined;
  for (const begun = performance.now(); performance.now() - begun < PATIENCE_MS; ) {
    const beginning = await catalogue.begin(id);
    if (beginning === undefined) return undefined;
    const snapshot = new Snapshot(database, beginning, fields);
    if (last?.generation === snapshot.generation) snapshot.askLike(last);
    const outcome = await settled(() => read(snapshot, beginning));
    const lost = snapshot.gone || (snapshot.lacking && (await dropped(catalogue, beginning)));
    if (!lost) return outcome();
    last = snapshot;
  }
  throw new RetryableError('STORE_BUSY', 'What was read changed again and again meanwhile: try again later');
}

/** What `action` came to, a value or an error, for later. */
async function settled<T>(action: () => Promise<T>): Promise<() => T> {
  try {
    const value = await action();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

async function dropped(catalogue: MongoCatalogue, { generation }: Beginning): Promise<boolean> {
  return !(await catalogue.generations()).some(({ id }) => id === generation.id);
}
