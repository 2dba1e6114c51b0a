import type { AsOf } from '../event-log/event-log.ts';

/** A place of a document in a list; lists are ordered by the bytes of the sort key, which is unique in its list. */
export interface ListEntry {
  list: string;
  sortKey: string;
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
}

/** One batch of a partition: `from` is compared with the checkpoint that stands. */
export interface CommitBatch {
  partition: number;
  from: number;
  checkpoint: Checkpoint;
  documents: StoredDocument[];
}

/** Folds of one process into one generation. */
export interface GenerationWriter {
  /** Of a partition that nothing was folded of: offset 0, no as-of, a digest of zeros. */
  checkpoint(partition: number): Promise<Checkpoint>;
  /** The documents in the order of the keys, undefined for one that was never written. */
  load(keys: DocumentKey[]): Promise<(StoredDocument | undefined)[]>;
  /**
   * Documents, lists, counts and checkpoint, all or nothing, durable once resolved. `conflict`
   * where the checkpoint is not at `from` (another process folded it); nothing is changed then.
   */
  commit(batch: CommitBatch): Promise<'committed' | 'conflict'>;
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
  /** A new, empty generation beside the others; the first of all is live at once. */
  create(projections: string, partitions: number): Promise<Generation>;
  /** Makes a generation live, atomically for every reader in every process. */
  promote(id: string): Promise<void>;
  /** Frees a generation that is not live. */
  drop(id: string): Promise<void>;
  openWriter(id: string): Promise<GenerationWriter>;
  /** Runs `read` on the live generation (or on the one named) as it stands. Undefined where nothing is live yet. */
  view<T>(read: (view: ReadView) => Promise<T>, id?: string): Promise<T | undefined>;
  close(): Promise<void>;
}
