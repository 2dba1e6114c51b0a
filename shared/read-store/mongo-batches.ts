import { randomBytes } from 'node:crypto';
import type { BatchName } from './mongo-catalogue.ts';
import type { Stored } from './mongo-connection.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { bytesOf, type RowChange } from './mongo-rows.ts';

/** All that a commit changes, known before it is decided. */
export interface PreparedBatch {
  changes: RowChange[];
  /** Ids of nodes that are no longer in any tree; readers of the commit before still look at them. */
  removed: string[];
}

interface Chunk extends PreparedBatch {
  p: number;
  commit: number;
}

/** Well under the 16 MB of a document: one image of 7 MB may come on top. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** About what the names of the fields take. */
const FRAME_BYTES = 200;

/** Images of batches that are committed and not yet applied, in chunks of which each is one document. */
export class MongoBatches {
  private readonly database: MongoDatabase;
  private readonly collection: string;

  constructor(database: MongoDatabase, generation: string) {
    this.database = database;
    this.collection = batchesOf(generation);
  }

  async store(partition: number, commit: number, batch: PreparedBatch): Promise<BatchName> {
    const chunks = chunksOf(batch);
    const attempt = randomBytes(9).toString('base64url');
    const name = { commit, attempt, chunks: chunks.length, removed: batch.removed.length };
    const ids = idsOf(partition, name);
    await Promise.all(
      chunks.map((chunk, i) =>
        this.database.insert(this.collection, { _id: ids[i] as string, p: partition, commit, ...chunk }),
      ),
    );
    return name;
  }

  /** Undefined where it is gone: it has been applied, and so has the one after it. */
  async load(partition: number, name: BatchName): Promise<PreparedBatch | undefined> {
    const chunks = await this.database.find<Chunk>(this.collection, idsOf(partition, name));
    if (chunks.length < name.chunks) return undefined;
    return { changes: chunks.flatMap(({ changes }) => changes), removed: removedOf(chunks) };
  }

  /** The nodes that a batch took out of their trees; none where it is gone, and they with it. */
  async removed(partition: number, name: BatchName): Promise<string[]> {
    if (name.removed === 0) return [];
    return removedOf(
      await this.database.find<Chunk>(this.collection, idsOf(partition, name), { removed: 1 }),
    );
  }

  discard(partition: number, name: BatchName): Promise<void> {
    return this.database.removeAll(this.collection, idsOf(partition, name));
  }

  /** Attempts that were stored and never committed, of commits so long past that nobody asks for them. */
  discardLost(partition: number, commit: number): Promise<void> {
    return this.database.remove(this.collection, { p: partition, commit: { $lt: commit - 1 } });
  }
}

function batchesOf(generation: string): string {
  return `${generation}_batches`;
}

function removedOf(chunks: Stored<Pick<Chunk, 'removed'>>[]): string[] {
  return chunks.flatMap(({ removed }) => removed);
}

function idsOf(partition: number, { commit, attempt, chunks }: BatchName): string[] {
  return Array.from({ length: chunks }, (_, i) => `${partition}/${commit}/${attempt}/${i}`);
}

function chunksOf({ changes, removed }: PreparedBatch): PreparedBatch[] {
  const chunks: PreparedBatch[] = [];
  let room = 0;
  const chunkFor = (bytes: number): PreparedBatch => {
    if (chunks.length === 0 || bytes > room) {
      chunks.push({ changes: [], removed: [] });
      room = CHUNK_BYTES;
    }
    room -= bytes;
    return chunks.at(-1) as PreparedBatch;
  };
  for (const change of changes)
    chunkFor(bytesOf(change.image, change.hidden) + 2 * change.key.length + FRAME_BYTES).changes.push(change);
  for (const id of removed) chunkFor(2 * id.length + 16).removed.push(id);
  return chunks;
}
