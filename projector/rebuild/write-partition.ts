import { setImmediate as turn } from 'node:timers/promises';
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
import { ListOrder, orderOf } from './list-order.ts';
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
  /** The place of the last document or entry that is committed. */
  written: string;
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
/** Places of documents begin with the one, and come before those of entries, which begin with the other. */
const DOCUMENTS = 'd';
const LISTS = 'l';
/** So that neither thread waits for the other at each batch. */
const MOST_WAITING = 3;

/**
 * Makes the documents of a partition, each once and in the order of their keys, then their entries in
 * the order of the lists. The main thread commits them while this one makes the next. What is committed
 * already is made again, since lists need it, but not given away.
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
      if (!(await batches.giveFull())) return;
    }
    if (!(await batches.give())) return;
    for (const entries of lists.entries()) {
      batches.addEntries(entries);
      if (!(await batches.giveFull())) return;
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
  /** The last one that was made. */
  private place = DOCUMENTS;
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

  add(rows: DocumentRow[]): StoredDocument {
    const { document, digest } = documentOf(rows);
    const { body, state } = document;
    this.rows += rows.length;
    this.place = `${DOCUMENTS}${rows[0]?.[0]}`;
    if (this.place <= this.task.written) return document;
    this.documents.push(document);
    this.digest += digest;
    this.bytes += ENTRY_BYTES + (body?.length ?? 0) + (state?.length ?? 0);
    return document;
  }

  addEntries(entries: PlacedEntry[]): void {
    for (const entry of entries) {
      this.place = `${LISTS}${orderOf(entry)}`;
      if (this.place <= this.task.written) continue;
      this.placed.push(entry);
      this.bytes += ENTRY_BYTES + entry.body.length;
    }
  }

  /** Gives the batch away if it is as large as it is to be. Whether to go on. */
  async giveFull(): Promise<boolean> {
    if (this.bytes >= this.task.batchBytes) return this.give();
    // Else nobody who says to stop would be heard.
    await turn();
    return !this.stopped;
  }

  /** Whether to go on. */
  async give(reached?: Partial<Checkpoint>): Promise<boolean> {
    const { partition, port } = this.task;
    const { documents, placed, digest, rows } = this;
    if (documents.length + placed.length === 0 && !reached) return !this.stopped;
    this.documents = [];
    this.placed = [];
    this.digest = 0n;
    this.rows = 0;
    this.bytes = 0;
    const { offset, edits, building } = this.checkpoint;
    const checkpoint: Checkpoint = {
      ...this.checkpoint,
      edits: edits + 1,
      digest: addDigests(this.checkpoint.digest, digest),
      building: { plan: this.task.id, written: this.place, done: building?.done ?? 0 },
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
