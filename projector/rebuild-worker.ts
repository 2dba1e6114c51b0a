import type { MessagePort } from 'node:worker_threads';
import { useNativeSha256 } from '../shared/chain/native-sha256.ts';
import type { Config } from '../shared/config.ts';
import type { EventLog, LogBatch } from '../shared/event-log/event-log.ts';
import type { Checkpoint, CommitBatch, GenerationWriter } from '../shared/read-store/read-store.ts';
import { openEventLog, openReadStore, using } from '../shared/stores.ts';
import { BatchFold, type FoldedBatch } from './fold-batch.ts';
import { foldedCommit } from './folded-commit.ts';
import { type PackedBatch, packBatch } from './rebuild-transfer.ts';

/** A partition that is to be folded from the checkpoint of a generation up to an offset. */
export interface FoldTask {
  config: Config;
  generation: string;
  partition: number;
  to: number;
  /** Those to fold where others of the partition are there already; undefined for all. */
  daos: string[] | undefined;
  /** About what a batch may take in memory. */
  batchBytes: number;
  /** Says `FoldedPart`s, and hears `Answer`s. */
  port: MessagePort;
}

export interface FoldedPart {
  batch: PackedBatch;
  /** Records that were read for it. */
  records: number;
  parked: { offset: number; message: string }[];
}

export type Answer = 'committed' | 'stop';

/**
 * Reads, decodes and folds one partition in a thread of its own. The main thread commits one batch
 * while this one folds the next.
 */
export default async function foldPartition(task: FoldTask): Promise<void> {
  useNativeSha256();
  const { config, generation } = task;
  await using(await openEventLog(config), async (log) =>
    using(await openReadStore(config), async (store) =>
      using(await store.openWriter(generation), (writer) => new PartitionFold(task, log, writer).run()),
    ),
  );
}

class PartitionFold {
  private readonly task: FoldTask;
  private readonly log: EventLog;
  private readonly writer: GenerationWriter;
  private fold: BatchFold;
  private stopped = false;
  /** Of the batch that was given away last. */
  private committed: Promise<void> = Promise.resolve();
  private answered: () => void = () => undefined;

  constructor(task: FoldTask, log: EventLog, writer: GenerationWriter) {
    this.task = task;
    this.log = log;
    this.writer = writer;
    this.fold = new BatchFold((keys) => writer.load(keys));
    task.port.on('message', (answer: Answer) => {
      if (answer === 'stop') this.stopped = true;
      this.answered();
    });
  }

  async run(): Promise<void> {
    const { partition, to, batchBytes, port } = this.task;
    let checkpoint = await this.writer.checkpoint(partition);
    let from = checkpoint.offset;
    for await (const batch of this.log.scan(partition, from, to)) {
      if (this.stopped) break;
      await this.fold.fold(this.selected(batch));
      if (this.fold.bytes < batchBytes && batch.to < to) continue;
      const folded = this.fold.finish();
      const commit = this.commitOf(checkpoint, { ...batch, from }, folded);
      // Its documents were looked for in the batch before it: now they must be in the store.
      await this.committed;
      if (this.stopped) break;
      this.give(commit, batch.to - from, folded);
      this.fold = new BatchFold((keys) => this.writer.load(keys), this.fold);
      checkpoint = commit.checkpoint;
      from = batch.to;
    }
    await this.committed;
    port.close();
  }

  private selected({ records }: LogBatch): LogBatch['records'] {
    const { daos } = this.task;
    return records.filter(({ record }) => {
      const wanted = daos === undefined || daos.includes(record.dao);
      // The tally is of the whole partition: it cannot be taken apart by DAO.
      if (!wanted) this.fold.sight(record);
      return wanted;
    });
  }

  /** Where some DAOs alone are folded, only the last commit moves the offset: it speaks for all of them. */
  private commitOf(checkpoint: Checkpoint, batch: LogBatch, folded: FoldedBatch): CommitBatch {
    const commit = foldedCommit(checkpoint, batch, folded);
    if (this.task.daos === undefined) return commit;
    const { offset, edits } = checkpoint;
    const reached = batch.to < this.task.to ? offset : batch.to;
    return {
      ...commit,
      base: { offset, edits },
      checkpoint: { ...commit.checkpoint, offset: reached, edits: edits + 1 },
    };
  }

  private give(commit: CommitBatch, records: number, { parked }: FoldedBatch): void {
    const batch = packBatch(commit);
    const part: FoldedPart = { batch, records, parked: parked.map(described) };
    this.committed = new Promise((resolve) => {
      this.answered = resolve;
    });
    this.task.port.postMessage(part, [
      batch.bytes.buffer as ArrayBuffer,
      batch.numbers.buffer as ArrayBuffer,
    ]);
  }
}

function described({ offset, error }: FoldedBatch['parked'][number]): FoldedPart['parked'][number] {
  return { offset, message: error instanceof Error ? error.message : String(error) };
}
