import {
  completeGeneration,
  createGeneration,
  promoteGeneration,
  removeGeneration,
  requireGeneration,
} from './catalogue.ts';
import { MongoCatalogue } from './mongo-catalogue.ts';
import { GENERATIONS, MongoDatabase, type MongoSettings } from './mongo-database.ts';
import { readSnapshot } from './mongo-reading.ts';
import { MongoView, READ_FIELDS } from './mongo-view.ts';
import { MongoGenerationWriter } from './mongo-writer.ts';
import type { Generation, GenerationWriter, ReadStore, ReadView } from './read-store.ts';

/**
 * The read models in MongoDB, or what speaks its protocol: no transaction, session, replica set or
 * index but that of the ids is needed. A generation is a set of collections of its own:
 *
 * - `generations`: the catalogue, and for each partition of each generation its head;
 * - `<id>_documents`, `<id>_lists`, `<id>_nodes`: rows, each with its last two images. A list is the
 *   same counted tree as in LMDB, its nodes found by their ids: a page costs what the depth of the tree does;
 * - `<id>_batches`: the images of the commits that are under way (see MongoPartition).
 *
 * A view takes the commit of each partition once, reads what rows held as of it, and never sees part
 * of a batch. Where two more commits overwrote a row that it had not read, it starts again (see readSnapshot).
 */
export async function openMongoReadStore(settings: MongoSettings): Promise<ReadStore> {
  return new MongoReadStore(new MongoDatabase(settings));
}

export class MongoReadStore implements ReadStore {
  private readonly database: MongoDatabase;
  private readonly catalogue: MongoCatalogue;
  private readonly views = new Set<Promise<unknown>>();

  constructor(database: MongoDatabase) {
    this.database = database;
    this.catalogue = new MongoCatalogue(database);
  }

  generations(): Promise<Generation[]> {
    return this.catalogue.generations();
  }

  create(projections: string, partitions: number, building = false): Promise<Generation> {
    return this.catalogue.change((catalogue) =>
      createGeneration(catalogue, { projections, partitions, building }),
    );
  }

  complete(id: string): Promise<void> {
    return this.catalogue.change((catalogue) => completeGeneration(catalogue, id));
  }

  promote(id: string): Promise<void> {
    return this.catalogue.change((catalogue) => promoteGeneration(catalogue, id));
  }

  async drop(id: string): Promise<void> {
    await this.catalogue.change((catalogue) => removeGeneration(catalogue, id));
    await this.removeOrphans();
  }

  async openWriter(id: string): Promise<GenerationWriter> {
    const generation = requireGeneration(await this.catalogue.generations(), id);
    return new MongoGenerationWriter(this.database, this.catalogue, generation);
  }

  async view<T>(read: (view: ReadView) => Promise<T>, id?: string): Promise<T | undefined> {
    const { database, catalogue } = this;
    const reading = readSnapshot(
      { database, catalogue, id, fields: READ_FIELDS },
      async (rows, beginning) => {
        const view = new MongoView(beginning, rows);
        try {
          return await read(view);
        } finally {
          view.end();
        }
      },
    );
    this.views.add(reading);
    try {
      return await reading;
    } finally {
      this.views.delete(reading);
    }
  }

  /** After the views in flight. */
  async close(): Promise<void> {
    await Promise.allSettled(this.views);
    await this.database.close();
  }

  /** What belongs to no generation: of the one dropped now, and of those whose drop was cut short. */
  private async removeOrphans(): Promise<void> {
    // Listed before the catalogue is read: a generation precedes its collections.
    const collections = (await this.database.collections()).filter((name) => OF_GENERATION.test(name));
    const heads = await this.database.findWhere(GENERATIONS, { _id: { $gte: 'g', $lt: 'h' } }, { _id: 1 });
    const known = new Set((await this.catalogue.generations()).map(({ id }) => id));
    await this.database.removeAll(
      GENERATIONS,
      heads.map(({ _id }) => _id).filter((id) => !known.has(id.slice(0, id.indexOf('/')))),
    );
    for (const name of collections)
      if (!known.has(name.slice(0, name.indexOf('_')))) await this.database.drop(name);
  }
}

const OF_GENERATION = /^g\d+-[0-9a-f]+_(documents|lists|nodes|batches)$/;
