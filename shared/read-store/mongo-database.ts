import {
  type AnyBulkWriteOperation,
  type Collection,
  type Document,
  type Filter,
  MongoBulkWriteError,
  type MongoClient,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoServerError,
  type UpdateFilter,
} from 'mongodb';
import pLimit from 'p-limit';
import pRetry from 'p-retry';
import type { Logger } from 'pino';
import { RetryableError } from '../errors.ts';
import { RenewedClient } from './mongo-client.ts';
import { collectionOf, type Stored } from './mongo-connection.ts';

export interface MongoSettings {
  /** `mongodb://` or `mongodb+srv://`; what it holds of a password stays here. */
  url: string;
  database: string;
  logger: Logger;
}

/** One update of one document, which may not be there yet. */
export interface Update {
  filter: { _id: string };
  update: UpdateFilter<Stored>;
  upsert: true;
}

/** Holds what decides: the catalogue, and the heads that every commit swaps. */
export const GENERATIONS = 'generations';
const DUPLICATE_KEY = 11000;
const NAMESPACE_NOT_FOUND = 26;
/** What is fetched in one round trip. */
const FETCHED = 1_000;
const REPEATED = 5;
/** What is written in one: no answer takes long, and several are under way at once. */
const WRITTEN = 100;
const WRITES_AT_ONCE = 4;

/**
 * The few things that are asked of MongoDB, none of which needs a session, a transaction or a
 * replica set. See `collectionOf` for what counts as written and as read.
 */
export class MongoDatabase {
  private readonly client: RenewedClient;
  private readonly name: string;
  private readonly secrets: string[];
  private readonly write = pLimit(WRITES_AT_ONCE);
  private trouble: string | undefined;

  constructor({ url, database, logger }: MongoSettings) {
    this.name = database;
    this.client = new RenewedClient(url, (client) => this.watch(client, logger));
    const password = this.client.current.options.credentials?.password ?? '';
    this.secrets = [url, password, encodeURIComponent(password)].filter((secret) => secret !== '');
  }

  /** Tells the log of an outage once. */
  private watch(client: MongoClient, logger: Logger): void {
    client.on('serverHeartbeatFailed', ({ connectionId, failure }) => {
      if (this.trouble === undefined)
        logger.error({ mongodb: connectionId, reason: this.reason(failure) }, 'MongoDB cannot be asked');
      this.trouble = connectionId;
    });
    client.on('serverHeartbeatSucceeded', ({ connectionId }) => {
      if (this.trouble === connectionId) {
        logger.info({ mongodb: connectionId }, 'MongoDB is back');
        this.trouble = undefined;
      }
    });
  }

  /** Those that are there, in no order. `fields` is a projection. */
  async find<T extends Document>(
    collection: string,
    ids: string[],
    fields: Document = {},
  ): Promise<Stored<T>[]> {
    const found = await Promise.all(
      parts(ids, FETCHED).map((part) => {
        const filter = part.length === 1 ? { _id: part[0] as string } : { _id: { $in: part } };
        return this.findWhere<T>(collection, filter, fields);
      }),
    );
    return found.flat();
  }

  findWhere<T extends Document>(
    collection: string,
    filter: Filter<Stored>,
    fields: Document = {},
  ): Promise<Stored<T>[]> {
    return this.reading(() =>
      this.collection(collection)
        .find<Stored<T>>(filter, { projection: fields, batchSize: FETCHED })
        .toArray(),
    );
  }

  /** In the order of their ids, which is that of their bytes where they are byte strings. */
  async *walk<T extends Document>(collection: string, filter: Filter<Stored>): AsyncIterable<Stored<T>> {
    const cursor = this.collection(collection).find<Stored<T>>(filter, {
      sort: { _id: 1 },
      batchSize: FETCHED,
    });
    try {
      for (;;) {
        const next = await this.reading(() => cursor.next(), false);
        if (next === null) return;
        yield next;
      }
    } finally {
      await cursor.close().catch(() => {});
    }
  }

  /** Whether the one document was there as the filter wants it. */
  update(collection: string, filter: Filter<Stored>, update: UpdateFilter<Stored>): Promise<boolean> {
    return this.writing(async () => {
      const { matchedCount } = await this.collection(collection).updateOne(filter, update);
      return matchedCount === 1;
    });
  }

  /** All of them, in any order and each perhaps more than once. */
  async updateAll(collection: string, updates: Update[]): Promise<void> {
    await Promise.all(
      parts(updates, WRITTEN).map((part) => this.write(() => this.updatePart(collection, part))),
    );
  }

  /** False where one of that id was there already. */
  insert(collection: string, document: Stored): Promise<boolean> {
    return this.writing(async () => {
      try {
        await this.collection(collection).insertOne(document);
        return true;
      } catch (error) {
        if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
        throw error;
      }
    });
  }

  async remove(collection: string, filter: Filter<Stored>): Promise<void> {
    await this.writing(() => this.collection(collection).deleteMany(filter));
  }

  async removeAll(collection: string, ids: string[]): Promise<void> {
    await Promise.all(parts(ids, FETCHED).map((part) => this.remove(collection, { _id: { $in: part } })));
  }

  collections(): Promise<string[]> {
    return this.reading(async () => {
      const listed = await this.client.current
        .db(this.name)
        .listCollections({}, { nameOnly: true })
        .toArray();
      return listed.map(({ name }) => name);
    });
  }

  async drop(collection: string): Promise<void> {
    await this.writing(async () => {
      try {
        await this.collection(collection).drop();
      } catch (error) {
        if (!(error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND)) throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Every call of the driver goes through here. */
  protected ask<T>(action: () => Promise<T>): Promise<T> {
    return action();
  }

  private async updatePart(collection: string, updates: Update[]): Promise<void> {
    const again = await this.writing(() => this.bulk(collection, updates));
    if (again.length > 0) await this.updatePart(collection, again);
  }

  /** Resolves with the updates that were to insert what somebody else has inserted meanwhile. */
  private async bulk(collection: string, updates: Update[]): Promise<Update[]> {
    const operations: AnyBulkWriteOperation<Stored>[] = updates.map((update) => ({ updateOne: update }));
    try {
      await this.collection(collection).bulkWrite(operations, { ordered: false });
      return [];
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError)) throw error;
      const errors = [error.writeErrors].flat();
      const others = errors.some(({ code }) => code !== DUPLICATE_KEY);
      if (others || errors.length === 0 || error.result.getWriteConcernError() !== undefined) throw error;
      return errors.flatMap(({ index }) => updates[index] ?? []);
    }
  }

  private collection(name: string): Collection<Stored> {
    return collectionOf(this.client.current, this.name, name, name === GENERATIONS);
  }

  /** What can be asked again is, where a connection was lost: after a restart of the server every one in the pool is. */
  private reading<T>(action: () => Promise<T>, repeatable = true): Promise<T> {
    const asked = pRetry(() => this.ask(action), {
      retries: REPEATED,
      minTimeout: 20,
      shouldRetry: ({ error }) => repeatable && isLostConnection(error),
    });
    return asked.catch((error: unknown) => {
      this.client.failed(error);
      throw new RetryableError('STORE_UNAVAILABLE', `MongoDB cannot be asked: ${this.reason(error)}`);
    });
  }

  private writing<T>(action: () => Promise<T>): Promise<T> {
    return this.ask(action).catch((error: unknown) => {
      this.client.failed(error);
      throw new RetryableError(
        'STORE_WRITE_FAILED',
        `MongoDB has not confirmed a write, which may have happened or not: ${this.reason(error)}`,
      );
    });
  }

  /** The driver's errors are not kept as causes: they carry what was written. */
  private reason(error: unknown): string {
    const { message } = error as Error;
    return this.secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), message);
  }
}

function isLostConnection(error: unknown): boolean {
  return error instanceof MongoNetworkError && !(error instanceof MongoNetworkTimeoutError);
}

function parts<T>(items: T[], size: number): T[][] {
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, i) => i * size);
  return starts.map((start) => items.slice(start, start + size));
}
