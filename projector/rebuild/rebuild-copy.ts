import { FatalError } from '../../shared/errors.ts';
import { partitionOf } from '../../shared/event-log/partition.ts';
import type { Checkpoint, GenerationWriter, StoredDocument } from '../../shared/read-store/read-store.ts';
import { addDigests, documentDigest } from '../digest.ts';
import { projections } from '../projections/projections.ts';
import { rebuildElsewhere } from './rebuild-errors.ts';
import type { Sources } from './rebuild-scope.ts';

const BATCH_DOCUMENTS = 2000;

const counted = new Set(projections.filter(({ internal }) => !internal).map(({ name }) => name));

export interface CopyOptions {
  from: GenerationWriter;
  to: GenerationWriter;
  sources: Sources;
  /** Of the log. */
  partitions: number;
  signal: AbortSignal;
}

/**
 * Copies the documents that are not folded anew, while the generation that they are of moves on: what
 * has changed meanwhile is copied again, until nothing has. Gives the offsets that they stand for, by
 * partition. Where `signal` ends it before, the signal's reason is thrown.
 */
export async function copyDocuments(options: CopyOptions): Promise<Map<number, number>> {
  const copies = new Map(
    options.sources.copiedPartitions.map((partition) => [partition, new PartitionCopy(options, partition)]),
  );
  for (;;) {
    const moved = new Set<number>();
    for (const [partition, copy] of copies) if (await copy.moved()) moved.add(partition);
    if (moved.size === 0) break;
    for await (const document of options.from.documents()) {
      options.signal.throwIfAborted();
      const partition = partitionOf(document.dao, options.partitions);
      if (moved.has(partition)) await copies.get(partition)?.take(document);
    }
    for (const copy of copies.values()) await copy.flush();
  }
  const offsets = new Map<number, number>();
  for (const [partition, copy] of copies) offsets.set(partition, await copy.finish());
  return offsets;
}

class PartitionCopy {
  private readonly options: CopyOptions;
  private readonly partition: number;
  /** Of the source: when its documents were read last, and the time before that. */
  private source: Checkpoint | undefined;
  private before: Checkpoint | undefined;
  private target: Checkpoint | undefined;
  private documents: StoredDocument[] = [];

  constructor(options: CopyOptions, partition: number) {
    this.options = options;
    this.partition = partition;
  }

  /** Whether there is something that was not read yet. */
  async moved(): Promise<boolean> {
    this.before = this.source;
    this.source = await this.options.from.checkpoint(this.partition);
    return this.before?.offset !== this.source.offset || this.before.edits !== this.source.edits;
  }

  async take(document: StoredDocument): Promise<void> {
    if (!this.options.sources.copied(document.dao) || this.isCopied(document)) return;
    this.documents.push(document);
    if (this.documents.length >= BATCH_DOCUMENTS) await this.flush();
  }

  async flush(): Promise<void> {
    const documents = this.documents.splice(0);
    if (documents.length === 0) return;
    // Only what is copied again was there before.
    const old = this.before ? await this.options.to.load(documents) : [];
    const change = sumOf(documents) - sumOf(old.filter((each) => each !== undefined));
    await this.commit(documents, (checkpoint) => ({
      ...checkpoint,
      digest: addDigests(checkpoint.digest, change),
    }));
  }

  /** Lets a partition that was copied whole stand where its source does; where DAOs of it are folded, that is yet to come. */
  async finish(): Promise<number> {
    const { source, options, partition } = this;
    if (!source) throw new TypeError('finished before it was copied');
    const whole = options.sources.foldedDaos(partition)?.length === 0;
    await this.commit([], (checkpoint) => {
      if (!whole) return { ...checkpoint, asOf: source.asOf };
      if (checkpoint.digest !== source.digest) throw differs(partition);
      return { ...checkpoint, asOf: source.asOf, offset: source.offset, tally: source.tally };
    });
    return source.offset;
  }

  private isCopied({ offset }: StoredDocument): boolean {
    const { before, source } = this;
    return before !== undefined && before.edits === source?.edits && offset < before.offset;
  }

  private async commit(
    documents: StoredDocument[],
    change: (target: Checkpoint) => Checkpoint,
  ): Promise<void> {
    const { partition } = this;
    const { to } = this.options;
    const target = this.target ?? (await to.checkpoint(partition));
    const base = { offset: target.offset, edits: target.edits };
    const checkpoint = { ...change(target), edits: target.edits + 1 };
    if ((await to.commit({ partition, base, checkpoint, documents })) === 'conflict')
      throw rebuildElsewhere();
    this.target = checkpoint;
  }
}

function sumOf(documents: StoredDocument[]): bigint {
  return documents.reduce(
    (sum, document) => (counted.has(document.model) ? sum + documentDigest(document) : sum),
    0n,
  );
}

function differs(partition: number): FatalError {
  return new FatalError(
    'COPY_DIFFERS',
    `The documents of partition ${partition} in the live generation do not add up to its digest: ` +
      'they are damaged; run `rebuild` without --dao and --partitions',
  );
}
