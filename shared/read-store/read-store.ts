import type { AsOf } from '../event-log/event-log.ts';

/**
 * A place of a document in a list; lists are ordered by the bytes of the sort key, which is unique in
 * its list. All documents of a list, like all commits of a document, come from one partition.
 */
export interface ListEntry {
  list: string;
  sortKey: string;
}

/** An entry of a list with the body that it shows. */
export interface PlacedEntry extends ListEntry {
  body: Buffer;
}

export interface DocumentKey {
  model: string;
  key: string;
}

/**
 * A document as it stands after a fold. `body` is what readers get (JSON bytes), null where there
 * is nothing to read; `state` is what the next fold needs (JSON bytes) and readers never see.
 */
export interface StoredDocument extends DocumentKey {
  /** The DAO in whose scope it is. */
  dao: string;
  body: Buffer | null;
  state: Buffer | null;
  entries: ListEntry[];
  /** Offset of the last record folded into it. */
  offset: number;
}

export interface Checkpoint {
  /** Offset of the next record to fold. */
  offset: number;
  asOf: AsOf | null;
  /** Sum over the partition's documents, 64 hex digits; see `projector/digest.ts`. */
  digest: string;
  /** Commits that did not move the offset. */
  edits: number;
  /** What is counted beside the documents, by name. */
  tally: Tally;
  /** While the partition is built from the log, its offset being 0. */
  building?: PartitionBuilding;
}

export interface PartitionBuilding {
  /** By which it is built; see `RebuildPlan`. */
  plan: string;
  /** Up to where documents and lists are written by this plan; empty where nothing is. */
  written: string;
  /** About how many of its records all that is done amounts to. */
  done: number;
}

export type Tally = Record<string, { count: number; example: string }>;

/** Where a batch begins: it is compared with the checkpoint that stands. */
export type CommitBase = Pick<Checkpoint, 'offset' | 'edits'>;

/** One batch of a partition, folded from the checkpoint `base` to the next. */
export interface CommitBatch {
  partition: number;
  base: CommitBase;
  checkpoint: Checkpoint;
  documents: StoredDocument[];
  /**
   * Where a generation is written for the first time: the documents are new, and their entries are
   * not put into lists with them but here, in any batch, so that each list is written in its order.
   */
  placed?: PlacedEntry[];
}

/** Folds of one process into one generation. */
export interface GenerationWriter {
  /** Of a partition that nothing was folded of: offset 0, no as-of, a digest of zeros, no edits, an empty tally. */
  checkpoint(partition: number): Promise<Checkpoint>;
  /** The documents in the order of the keys, undefined for one that was never written. */
  load(keys: DocumentKey[]): Promise<(StoredDocument | undefined)[]>;
  /**
   * Documents, lists, counts and checkpoint, all or nothing, durable once resolved. `conflict`
   * where the checkpoint is not at `base` (another process folded it); nothing is changed then.
   */
  commit(batch: CommitBatch): Promise<'committed' | 'conflict'>;
  /**
   * Every document, or those of a read model, by model, then key in the order of their bytes. Each
   * is as it stands when it is read: together they are one state only where nothing is committed meanwhile.
   */
  documents(model?: string): AsyncIterable<StoredDocument>;
  close(): Promise<void>;
}

export interface Generation {
  id: string;
  /** Version of the projections that fold into it; a process folds only its own version. */
  projections: string;
  /** Partitions of the log that it is folded from. */
  partitions: number;
  /** Unix seconds. */
  createdAt: number;
  live: boolean;
  /** A rebuild is at work on it: nobody else folds into it, and it cannot be promoted yet. */
  building: boolean;
  /** Promotions are numbered from 1 on: the last one of this generation, 0 where it was never live. */
  promotion: number;
}

export interface ReadDocument {
  body: Buffer;
  /** Changes whenever the body does, never repeats. */
  version: string;
}

export interface ListState {
  total: number;
  /** Changes whenever an entry or a body of the list does, never repeats. */
  version: string;
}

export interface Page extends ListState {
  items: Buffer[];
}

/** The bodies of a page as they are sent: runs of them joined by commas, which commas join again. */
export interface JoinedPage extends ListState {
  runs: Buffer[];
}

/** A consistent read of one generation. */
export interface ReadView {
  readonly generation: Generation;
  get(model: string, key: string): Promise<ReadDocument | undefined>;
  /** Total 0 for a list that nothing was ever put into. */
  list(list: string): Promise<ListState>;
  /** `limit` bodies from `offset` on, in order; the cost does not grow with the offset. */
  page(list: string, offset: number, limit: number): Promise<Page>;
  /** The same page where nobody looks at the items one by one: cheaper, since a store may keep them joined. */
  joined(list: string, offset: number, limit: number): Promise<JoinedPage>;
  /** How many entries of the list sort before `sortKey`. */
  rank(list: string, sortKey: string): Promise<number>;
  asOf(partition: number): Promise<AsOf | null>;
}

/** Port: the read models, in generations of which one is live. */
export interface ReadStore {
  generations(): Promise<Generation[]>;
  /** A new, empty generation beside the others; the first of all is live at once where it is not one to be built. */
  create(projections: string, partitions: number, building?: boolean): Promise<Generation>;
  /** The generation is built: from here on whoever has its version of the projections folds into it. */
  complete(id: string): Promise<void>;
  /**
   * Makes a generation live, atomically for every reader in every process; a FatalError
   * `GENERATION_BUILDING` where it is not built yet.
   */
  promote(id: string): Promise<void>;
  /** Frees a generation that is not live. */
  drop(id: string): Promise<void>;
  openWriter(id: string): Promise<GenerationWriter>;
  /** Runs `read` on the live generation (or on the one named) as it stands. Undefined where nothing is live yet. */
  view<T>(read: (view: ReadView) => Promise<T>, id?: string): Promise<T | undefined>;
  close(): Promise<void>;
}
