import { type Db, MongoClient } from 'mongodb';
import { pino } from 'pino';
import { openMongoReadStore } from '../../shared/read-store/mongo.ts';
import type { MongoSettings } from '../../shared/read-store/mongo-database.ts';
import { documentId } from '../../shared/read-store/mongo-rows.ts';
import type { CommitBatch, ReadStore } from '../../shared/read-store/read-store.ts';
import { atEnd, OWN_NAME, serverUrl } from './servers.ts';

/** A database of its own. */
export async function ownDatabase(name: string): Promise<MongoSettings> {
  return {
    url: await serverUrl('mongo'),
    database: `${OWN_NAME}-${name}`,
    logger: pino({ level: 'silent' }),
  };
}

/** The driver alone, as durable as the adapter; the database is gone at the end. */
export async function bareDatabase({ url, database }: MongoSettings): Promise<Db> {
  const client = new MongoClient(url, {
    writeConcern: { w: 'majority', journal: true },
    retryWrites: false,
    promoteBuffers: true,
  });
  await client.connect();
  const db = client.db(database);
  atEnd(async () => {
    await db.dropDatabase();
    await client.close();
  });
  return db;
}

/** A read store in that database. */
export async function ownStore(settings: MongoSettings): Promise<ReadStore> {
  const store = await openMongoReadStore(settings);
  atEnd(() => store.close());
  return store;
}

/** Writes the documents of a commit and its checkpoint in one bulk each: no lists, and nothing about them is atomic. */
export async function writeBare(db: Db, collection: string, commit: CommitBatch): Promise<void> {
  const { partition, checkpoint, documents } = commit;
  await db.collection<{ _id: string }>(collection).bulkWrite(
    documents.map((document) => {
      const { dao, body, state, entries, offset } = document;
      const replacement = { dao, body, state, entries, offset };
      return { replaceOne: { filter: { _id: documentId(document) }, replacement, upsert: true } };
    }),
    { ordered: false },
  );
  await db
    .collection<{ _id: string }>('checkpoints')
    .replaceOne({ _id: `${collection}/${partition}` }, checkpoint, { upsert: true });
}
