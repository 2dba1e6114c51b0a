import { FatalError } from '../errors.ts';
import { generationDropped } from './catalogue.ts';
import { MongoBatches, type PreparedBatch } from './mongo-batches.ts';
import { type Head, headId, type MongoCatalogue } from './mongo-catalogue.ts';
import type { Stored } from './mongo-connection.ts';
import { GENERATIONS, type MongoDatabase } from './mongo-database.ts';
import { rowUpdate, type Table } from './mongo-rows.ts';
import type { Checkpoint } from './read-store.ts';

const TABLES: readonly Table[] = ['documents', 'lists', 'nodes'];

/**
 * The commits of one partition of a generation:
 *
 * 1. the images of the batch are stored under a name that nobody knows;
 * 2. one compare-and-set of the head, from the commit that the images were made on to the next,
 *    names them: from here on the batch is committed, and pending;
 * 3. the images are applied to their rows, each in a field named after the number of the commit;
 * 4. the head is no longer pending: readers see the commit, and the next may begin.
 *
 * Before 2 nothing has happened. Whoever finds a pending head does 3 and 4 again, which changes
 * nothing that was done. A writer that comes late fails at 2, or what it does at 3 changes nothing
 * that is read: all that it can leave is the row of a node that no tree leads to.
 */
export class MongoPartition {
  private readonly database: MongoDatabase;
  private readonly catalogue: MongoCatalogue;
  private readonly batches: MongoBatches;
  private readonly generation: string;
  private readonly partition: number;
  private readonly id: string;
  private tidied = false;

  constructor(database: MongoDatabase, catalogue: MongoCatalogue, generation: string, partition: number) {
    this.database = database;
    this.catalogue = catalogue;
    this.batches = new MongoBatches(database, generation);
    this.generation = generation;
    this.partition = partition;
    this.id = headId(generation, partition);
  }

  /** The last commit, after it has been applied; undefined before the first. */
  async head(): Promise<Stored<Head> | undefined> {
    for (let lost: number | undefined; ; ) {
      const { generations, heads } = await this.catalogue.read([this.id]);
      if (!generations.some(({ id }) => id === this.generation)) throw generationDropped(this.generation);
      const [head] = heads;
      if (!head?.pending) return head;
      const batch = await this.batches.load(this.partition, head.batch);
      if (batch !== undefined) await this.apply(head, batch);
      // Gone because others have applied it since, or for good.
      else if (lost === head.commit) throw damaged(this.id);
      else lost = head.commit;
    }
  }

  /** False where the head is not `base` any more. */
  async commit(base: Head | undefined, batch: PreparedBatch, checkpoint: Checkpoint): Promise<boolean> {
    const commit = (base?.commit ?? 0) + 1;
    const name = await this.batches.store(this.partition, commit, batch);
    const next: Head = {
      commit,
      pending: true,
      batch: name,
      previous: base?.batch ?? null,
      checkpoint: JSON.stringify(checkpoint),
      asOf: checkpoint.asOf,
      previousAsOf: base?.asOf ?? null,
    };
    if (!(await this.swap(base, next))) {
      await this.batches.discard(this.partition, name);
      return false;
    }
    await this.apply(next, batch);
    if (!this.tidied) await this.batches.discardLost(this.partition, commit);
    this.tidied = true;
    return true;
  }

  private swap(base: Head | undefined, next: Head): Promise<boolean> {
    if (base === undefined) return this.database.insert(GENERATIONS, { _id: this.id, ...next });
    const filter = { _id: this.id, commit: base.commit, pending: false };
    return this.database.update(GENERATIONS, filter, { $set: next });
  }

  private async apply({ commit, previous }: Head, { changes }: PreparedBatch): Promise<void> {
    await Promise.all([
      this.removeNodes(previous),
      ...TABLES.map((table) =>
        this.database.updateAll(
          `${this.generation}_${table}`,
          changes
            .filter((change) => change.table === table)
            .map((change) => rowUpdate(this.partition, commit, change)),
        ),
      ),
    ]);
    await Promise.all([
      this.database.update(GENERATIONS, { _id: this.id, commit }, { $set: { pending: false } }),
      previous && this.batches.discard(this.partition, previous),
    ]);
  }

  /** Nobody who reads the last commit, or this one, looks at the nodes that the last one took out. */
  private async removeNodes(previous: Head['previous']): Promise<void> {
    if (previous === null) return;
    const removed = await this.batches.removed(this.partition, previous);
    await this.database.removeAll(`${this.generation}_nodes`, removed);
  }
}

function damaged(id: string): FatalError {
  return new FatalError(
    'STORE_DAMAGED',
    `The last batch of ${id} is committed and gone from MongoDB: rebuild the generation`,
  );
}
