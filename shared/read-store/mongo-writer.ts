import { InvalidInputError } from '../errors.ts';
import { generationDropped } from './catalogue.ts';
import { checkBatch } from './list-changes.ts';
import { type Head, type MongoCatalogue } from './mongo-catalogue.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { MongoPartition } from './mongo-partition.ts';
import { prepareBatch } from './mongo-prepare.ts';
import { readSnapshot } from './mongo-reading.ts';
import {
  type DocumentImage,
  documentId,
  fieldAt,
  modelRange,
  type Row,
  SnapshotGone,
  storedDocument,
} from './mongo-rows.ts';
import { Snapshot } from './mongo-snapshot.ts';
import type {
  Checkpoint,
  CommitBatch,
  DocumentKey,
  Generation,
  GenerationWriter,
  StoredDocument,
} from './read-store.ts';

const NO_CHECKPOINT: Checkpoint = { offset: 0, asOf: null, digest: '0'.repeat(64), edits: 0, tally: {} };

export class MongoGenerationWriter implements GenerationWriter {
  private readonly database: MongoDatabase;
  private readonly catalogue: MongoCatalogue;
  private readonly generation: Generation;
  private readonly partitions = new Map<number, MongoPartition>();

  constructor(database: MongoDatabase, catalogue: MongoCatalogue, generation: Generation) {
    this.database = database;
    this.catalogue = catalogue;
    this.generation = generation;
  }

  async checkpoint(partition: number): Promise<Checkpoint> {
    return checkpointOf(await this.partition(partition).head());
  }

  async load(keys: DocumentKey[]): Promise<(StoredDocument | undefined)[]> {
    const { database, catalogue, generation } = this;
    try {
      const read = await readSnapshot({ database, catalogue, id: generation.id }, (snapshot) =>
        Promise.all(
          keys.map(async (key) => {
            const found = await snapshot.at<DocumentImage>('documents', documentId(key));
            return found && storedDocument(found.row, found.field);
          }),
        ),
      );
      return read ?? [];
    } catch (error) {
      if (error instanceof InvalidInputError) throw generationDropped(generation.id);
      throw error;
    }
  }

  async commit(given: CommitBatch): Promise<'committed' | 'conflict'> {
    const { partition, base, checkpoint } = given;
    checkBatch(given.documents);
    const commits = this.partition(partition);
    const head = await commits.head();
    const { offset, edits } = checkpointOf(head);
    if (offset !== base.offset || edits !== base.edits) return 'conflict';
    const moments = new Map(head && [[partition, { commit: head.commit, asOf: null }]]);
    const snapshot = new Snapshot(this.database, { generation: this.generation, moments });
    try {
      const batch = await prepareBatch(snapshot, given, (head?.commit ?? 0) + 1);
      return (await commits.commit(head, batch, checkpoint)) ? 'committed' : 'conflict';
    } catch (error) {
      // Others have committed twice since.
      if (error instanceof SnapshotGone) return 'conflict';
      throw error;
    }
  }

  async *documents(model?: string): AsyncIterable<StoredDocument> {
    const filter = model === undefined ? {} : { _id: modelRange(model) };
    await this.requireGeneration();
    for await (const row of this.database.walk<Row<DocumentImage>>(
      `${this.generation.id}_documents`,
      filter,
    )) {
      const field = fieldAt(row, Number.MAX_SAFE_INTEGER);
      const document = field === undefined ? undefined : storedDocument(row, field);
      if (document !== undefined) yield document;
    }
    // A collection that is dropped ends like one that was read to its end.
    await this.requireGeneration();
  }

  async close(): Promise<void> {
    // The connection is the store's.
  }

  private partition(partition: number): MongoPartition {
    const { id, partitions } = this.generation;
    if (!Number.isInteger(partition) || partition < 0 || partition >= partitions)
      throw new InvalidInputError('PARTITION_UNKNOWN', `${id} has no partition ${partition}`);
    const known = this.partitions.get(partition);
    if (known !== undefined) return known;
    const opened = new MongoPartition(this.database, this.catalogue, id, partition);
    this.partitions.set(partition, opened);
    return opened;
  }

  private async requireGeneration(): Promise<void> {
    const { id } = this.generation;
    if (!(await this.catalogue.generations()).some((each) => each.id === id)) throw generationDropped(id);
  }
}

function checkpointOf(head: Head | undefined): Checkpoint {
  return head === undefined ? NO_CHECKPOINT : (JSON.parse(head.checkpoint) as Checkpoint);
}
