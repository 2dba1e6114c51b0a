import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { readStoreConformance } from '../../conformance/read-store.ts';
import { open } from './open-mongo.ts';

readStoreConformance('mongo', async () => {
  const database = `conformance-${randomBytes(6).toString('hex')}`;
  return {
    open: () => open(database),
    opener: { module: new URL('open-mongo.ts', import.meta.url).href, at: database },
    destroy: async () => {
      const client = new MongoClient(process.env['MONGODB_URL'] ?? '');
      await client.db(database).dropDatabase();
      await client.close();
    },
  };
});
