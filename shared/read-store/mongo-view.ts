import type { AsOf } from '../event-log/event-log.ts';
import { readPage, readRank, readRuns } from './list-read.ts';
import type { Beginning } from './mongo-catalogue.ts';
import { FetchedNodes } from './mongo-nodes.ts';
import { rootOf } from './mongo-prepare.ts';
import { type DocumentImage, documentId, type ListImage, listId } from './mongo-rows.ts';
import type { Snapshot } from './mongo-snapshot.ts';
import type { Generation, JoinedPage, ListState, Page, ReadDocument, ReadView } from './read-store.ts';

/** What readers never see is not fetched for them. */
export const READ_FIELDS = { h: 0 };

/** Reads of one snapshot; refuses to be used after it. */
export class MongoView implements ReadView {
  readonly generation: Generation;
  private readonly beginning: Beginning;
  private readonly rows: Snapshot;
  private ended = false;

  constructor(beginning: Beginning, rows: Snapshot) {
    this.generation = beginning.generation;
    this.beginning = beginning;
    this.rows = rows;
  }

  async get(model: string, key: string): Promise<ReadDocument | undefined> {
    const found = await this.snapshot().find<DocumentImage>('documents', documentId({ model, key }));
    if (!found?.image.body) return undefined;
    return { body: found.image.body, version: this.version(found.partition, found.image.version) };
  }

  async list(list: string): Promise<ListState> {
    return (await this.state(list)).state;
  }

  async page(list: string, offset: number, limit: number): Promise<Page> {
    const { state, root } = await this.state(list);
    const nodes = new FetchedNodes(this.snapshot(), list);
    await nodes.fetchRange(root, offset, limit);
    return { ...state, items: await nodes.run(() => readPage(nodes.read, root, offset, limit)) };
  }

  async joined(list: string, offset: number, limit: number): Promise<JoinedPage> {
    const { state, root } = await this.state(list);
    const nodes = new FetchedNodes(this.snapshot(), list);
    await nodes.fetchRange(root, offset, limit);
    return { ...state, runs: await nodes.run(() => readRuns(nodes.read, root, offset, limit)) };
  }

  async rank(list: string, sortKey: string): Promise<number> {
    const { root } = await this.state(list);
    const nodes = new FetchedNodes(this.snapshot(), list);
    return nodes.run(() => readRank(nodes.read, root, sortKey));
  }

  async asOf(partition: number): Promise<AsOf | null> {
    this.snapshot();
    return this.beginning.moments.get(partition)?.asOf ?? null;
  }

  end(): void {
    this.ended = true;
  }

  private async state(list: string) {
    const found = await this.snapshot().find<ListImage>('lists', listId(list));
    const root = rootOf(found?.image);
    const version = found ? this.version(found.partition, found.image.version) : `${this.generation.id}.0`;
    return { root, state: { total: root.total, version } };
  }

  /** Commits are counted per partition of a generation, whose id is never used again. */
  private version(partition: number, commit: number): string {
    return `${this.generation.id}.${partition}.${commit.toString(36)}`;
  }

  private snapshot(): Snapshot {
    if (this.ended) throw new Error('A view was used after its read had ended: await what it returns inside');
    return this.rows;
  }
}
