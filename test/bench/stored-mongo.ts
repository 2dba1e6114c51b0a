import type { Document } from 'mongodb';
import { MongoReadStore } from '../../shared/read-store/mongo.ts';
import type { Stored } from '../../shared/read-store/mongo-connection.ts';
import { MongoDatabase, type MongoSettings, type Update } from '../../shared/read-store/mongo-database.ts';
import { bareDatabase, ownDatabase } from './mongo.ts';
import type { Size } from './row.ts';
import { fillDao, HOLDERS } from './stored-dao.ts';

export interface StoredMongo {
  settings: MongoSettings;
  holders: number;
}

const filled = new Map<Size, Promise<StoredMongo>>();

/** The lists of a DAO with its holders in MongoDB, filled once a run. */
export function storedMongo(size: Size): Promise<StoredMongo> {
  const known = filled.get(size) ?? fill(HOLDERS[size]);
  filled.set(size, known);
  return known;
}

async function fill(holders: number): Promise<StoredMongo> {
  const settings = await ownDatabase('pages');
  await bareDatabase(settings);
  const store = new MongoReadStore(new ListsAlone(settings));
  await fillDao(store, holders);
  await store.close();
  return { settings, holders };
}

const DOCUMENTS = /_documents$/;

/**
 * Leaves out the documents by key, which no page reads (it finds their bodies in the nodes of its
 * list): a million writes that a server needs more time for than a whole run is to take.
 */
class ListsAlone extends MongoDatabase {
  override async find<T extends Document>(
    collection: string,
    ids: string[],
    fields?: Document,
  ): Promise<Stored<T>[]> {
    return DOCUMENTS.test(collection) ? [] : super.find<T>(collection, ids, fields);
  }

  override async updateAll(collection: string, updates: Update[]): Promise<void> {
    if (!DOCUMENTS.test(collection)) await super.updateAll(collection, updates);
  }
}
