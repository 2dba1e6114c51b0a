import type { MessagePort } from 'node:worker_threads';
import type {
  Checkpoint,
  CommitBatch,
  PlacedEntry,
  StoredDocument,
  Tally,
} from '../../shared/read-store/read-store.ts';
import { addDigests } from '../digest.ts';
import { mergedTally, type Spotted } from '../unknown.ts';
import { type DocumentRow, documentOf, sizeOfRow } from './document-rows.ts';
import { sizeOfSpotted } from './fold-shard.ts';
import { ListOrder } from './list-order.ts';
import { mergeRuns } from './merge.ts';
import { type PackedBatch, packBatch } from './packed-batch.ts';
import type { Run } from './runs.ts';
import { WorkFolder } from './work-folder.ts';

/** Folded shards of a partition that are to become its documents and lists. */
export interface WriteTask {
  /** Of the plan that the runs were made by. */
  id: string;
  /** Of the rebuild's files. */
  folder: string;
  partition: number;
  runs: Run[];
  /** What nobody reads in the records. */
  spotted: Run[];
  /** As it stands. */
  checkpoint: Checkpoint;
  /** Batches of the same plan that are committed. */
  written: number;
  /** What the checkpoint is to tell at the end. */
  reached: Pick<Checkpoint, 'offset' | 'asOf'>;
  /** About what a batch may take in memory. */
  batchBytes: number;
  /** Says `WrittenBatch`es, and hears `Answer`s. */
  port: MessagePort;
}

export interface WrittenBatch {
  batch: PackedBatch;
  /** Rows of the runs that it was made of. */
  rows: number;
}

export type Answer = 'committed' | 'stop';

/** About what a document or an entry takes in memory beside its bytes. */
const ENTRY_BYTES = 300;
/** So that neither thread waits for the other at each batch. */
const MOST_WAITING = 3;

/**
 * Makes the documents of a partition, each once and in the order of their keys, then their entries in
 * the order of the lists. The main thread commits them while this one makes the next. The same
 * runs give the same batches, so that those that are committed already are passed over.
 */
export async function writePartition(task: WriteTask): Promise<void> {
  const folder = new WorkFolder(task.folder);
  const lists = new ListOrder(folder, `lists-${task.partition}`);
  const batches = new Batches(task);
  try {
    for (const groups of mergeRuns(folder, task.runs, sizeOfRow)) {
      for (const rows of groups) {
        const document = batches.add(rows);
        const { body, entries } = document;
        if (body) for (const entry of entries) lists.add({ ...entry, body });
      }
      if (batches.isFull && !(await batches.give())) return;
    }
    if (!(await batches.give())) return;
    for (const entries of lists.entries()) {
      batches.place(entries);
      if (batches.isFull && !(await batches.give())) return;
    }
    await batches.give({ ...task.reached, tally: tallyOf(folder, task.spotted) });
  } finally {
    await batches.end();
    task.port.close();
  }
}

function tallyOf(folder: WorkFolder, spotted: Run[]): Tally {
  const names = function* () {
    for (const groups of mergeRuns<Spotted>(folder, spotted, sizeOfSpotted)) yield* groups;
  };
  return mergedTally(names());
}

/** What is made and not given away yet, one batch after the other. */
class Batches {
  private readonly task: WriteTask;
  private checkpoint: Checkpoint;
  private documents: StoredDocument[] = [];
  private placed: PlacedEntry[] = [];
  private digest = 0n;
  private rows = 0;
  private bytes = 0;
  private made = 0;
  private stopped = false;
  /** Batches that were given away and are not committed yet. */
  private waiting = 0;
  private answered: () => void = () => undefined;

  constructor(task: WriteTask) {
    this.task = task;
    this.checkpoint = task.checkpoint;
    task.port.on('message', (answer: Answer) => {
      if (answer === 'stop') this.stopped = true;
      else this.waiting--;
      this.answered();
    });
  }

  get isFull(): boolean {
    return this.bytes >= this.task.batchBytes;
  }

  add(rows: DocumentRow[]): StoredDocument {
    const { document, digest } = documentOf(rows);
    const { body, state } = document;
    this.documents.push(document);
    this.digest += digest;
    this.rows += rows.length;
    this.bytes += ENTRY_BYTES + (body?.length ?? 0) + (state?.length ?? 0);
    return document;
  }

  place(entries: PlacedEntry[]): void {
    for (const entry of entries) {
      this.placed.push(entry);
      this.bytes += ENTRY_BYTES + entry.body.length;
    }
  }

  /** Whether to go on. */
  async give(reached?: Partial<Checkpoint>): Promise<boolean> {
    const { partition, port } = this.task;
    const { documents, placed, digest, rows } = this;
    this.documents = [];
    this.placed = [];
    this.digest = 0n;
    this.bytes = 0;
    const { offset, edits, building } = this.checkpoint;
    // Its rows count with the next one, which is told of.
    if (this.made++ < this.task.written) return !this.stopped;
    this.rows = 0;
    const checkpoint: Checkpoint = {
      ...this.checkpoint,
      edits: edits + 1,
      digest: addDigests(this.checkpoint.digest, digest),
      building: { plan: this.task.id, batches: this.made, done: building?.done ?? 0 },
      ...reached,
    };
    if (reached) delete checkpoint.building;
    const commit: CommitBatch = { partition, base: { offset, edits }, checkpoint, documents, placed };
    const made: WrittenBatch = { batch: packBatch(commit), rows };
    await this.untilWaiting(MOST_WAITING - 1);
    if (this.stopped) return false;
    this.waiting++;
    const { bytes, numbers } = made.batch;
    port.postMessage(made, [bytes.buffer as ArrayBuffer, numbers.buffer as ArrayBuffer]);
    this.checkpoint = checkpoint;
    return true;
  }

  /** Once the last batch is committed, or somebody has said to stop. */
  end(): Promise<void> {
    return this.untilWaiting(0);
  }

  private async untilWaiting(most: number): Promise<void> {
    while (this.waiting > most && !this.stopped)
      await new Promise<void>((resolve) => {
        this.answered = resolve;
      });
  }
}
