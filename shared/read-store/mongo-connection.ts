import { type Collection, type Document, MongoClient } from 'mongodb';
import { FatalError } from '../errors.ts';

const ANSWER_MS = 30_000;
const SELECT_MS = 3_000;
/** A server that does not even say hello for so long is given up, and what it was asked meanwhile. */
const HELLO_MS = 10_000;

/** Whatever is stored is found by its `_id`, a string: the one index that every server of the protocol has and uses. */
export type Stored<T = Document> = T & { _id: string };

/** Throws a FatalError that does not quote the URL. Nothing is connected before the first call. */
export function connectMongo(url: string): MongoClient {
  try {
    return new MongoClient(url, {
      // They need sessions; whoever writes here looks at what became of it, and tries again.
      retryWrites: false,
      promoteBuffers: true,
      serverSelectionTimeoutMS: SELECT_MS,
      connectTimeoutMS: HELLO_MS,
      waitQueueTimeoutMS: ANSWER_MS,
      socketTimeoutMS: ANSWER_MS,
    });
  } catch {
    // Its own error would quote the URL.
    throw new FatalError(
      'MONGODB_URL_INVALID',
      'MONGODB_URL does not fit: it is mongodb://[user:password@]host[:port][,host...][/?options], percent-encoded where needed',
    );
  }
}

/**
 * Set here, where nothing in the URL changes it. A write is on a majority's disks before it counts.
 * What `decides` is read as a majority has it, so that no failover takes back what was built on it.
 * All else is read as the primary has it, which is never less than was decided, while what a
 * majority has a new primary may be late to learn.
 */
export function collectionOf(
  client: MongoClient,
  database: string,
  name: string,
  decides: boolean,
): Collection<Stored> {
  return client.db(database).collection<Stored>(name, {
    readPreference: 'primary',
    readConcern: { level: decides ? 'majority' : 'local' },
    writeConcern: { w: 'majority', journal: true },
  });
}
