import type { ReadOptions, Snapshot } from '../embedded/lmdb-environment.ts';
import type { AsOf } from '../event-log/event-log.ts';
import { readBody } from './embedded-document.ts';
import { documentKey, type GenerationTables, listKey } from './embedded-generation.ts';
import { type ListRoot, readPage, readRank, readRuns } from './list-read.ts';
import type { Generation, JoinedPage, ListState, Page, ReadDocument, ReadView } from './read-store.ts';

/** Reads of one snapshot; refuses to be used after it, when its pages may have been written over. */
export class EmbeddedView implements ReadView {
  readonly generation: Generation;
  private readonly tables: GenerationTables;
  private readonly snapshot: Snapshot;
  private ended = false;

  constructor(generation: Generation, tables: GenerationTables) {
    this.generation = generation;
    this.tables = tables;
    this.snapshot = tables.env.snapshot();
  }

  async get(model: string, key: string): Promise<ReadDocument | undefined> {
    const stored = this.tables.documents.peek(documentKey({ model, key }), this.options());
    const found = stored && readBody(stored);
    return found && { body: found.body, version: this.version(found.version) };
  }

  async list(list: string): Promise<ListState> {
    return this.state(this.root(list));
  }

  async page(list: string, offset: number, limit: number): Promise<Page> {
    const root = this.root(list);
    const items = root ? readPage(this.tables.nodeReader(root.id, this.options()), root, offset, limit) : [];
    return { ...this.state(root), items };
  }

  async joined(list: string, offset: number, limit: number): Promise<JoinedPage> {
    const root = this.root(list);
    const runs = root ? readRuns(this.tables.nodeReader(root.id, this.options()), root, offset, limit) : [];
    return { ...this.state(root), runs };
  }

  async rank(list: string, sortKey: string): Promise<number> {
    const root = this.root(list);
    return root ? readRank(this.tables.nodeReader(root.id, this.options()), root, sortKey) : 0;
  }

  async asOf(partition: number): Promise<AsOf | null> {
    return this.tables.asOf(partition, this.options());
  }

  end(): void {
    this.ended = true;
    this.snapshot.done();
  }

  private root(list: string): ListRoot | undefined {
    return this.tables.list(listKey(list), this.options());
  }

  private state(root: ListRoot | undefined): ListState {
    return { total: root?.total ?? 0, version: this.version(root?.version ?? 0) };
  }

  /** Commits are counted per generation, and the id of a generation is never used again. */
  private version(commit: number): string {
    return `${this.generation.id}.${commit.toString(36)}`;
  }

  private options(): ReadOptions {
    if (this.ended) throw new Error('A view was used after its read had ended: await what it returns inside');
    return { transaction: this.snapshot };
  }
}
