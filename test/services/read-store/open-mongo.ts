import { MongoClient } from 'mongodb';
import { pino } from 'pino';
import { openMongoReadStore } from '../../../shared/read-store/mongo.ts';
import type { ReadStore } from '../../../shared/read-store/read-store.ts';

/** For the suite's other processes. */
export function open(database: string): Promise<ReadStore> {
  return openMongoReadStore({ url: serverUrl(), database, logger: pino({ level: 'silent' }) });
}

/** Behind the adapter's back: all of it, or a collection. */
export async function dropDatabase(database: string, collection?: string): Promise<void> {
  await withDatabase(database, async (db) => {
    await (collection === undefined ? db.dropDatabase() : db.dropCollection(collection));
  });
}

export async function collectionsOf(database: string): Promise<string[]> {
  return withDatabase(database, async (db) => {
    const listed = await db.listCollections({}, { nameOnly: true }).toArray();
    return listed.map(({ name }) => name).sort();
  });
}

function serverUrl(): string {
  return process.env['MONGODB_URL'] ?? '';
}

async function withDatabase<T>(
  name: string,
  use: (database: ReturnType<MongoClient['db']>) => Promise<T>,
): Promise<T> {
  const client = new MongoClient(serverUrl());
  try {
    return await use(client.db(name));
  } finally {
    await client.close();
  }
}
