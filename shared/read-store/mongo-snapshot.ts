import type { Document } from 'mongodb';
import type { Beginning } from './mongo-catalogue.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { type AnyImage, fieldAt, type Row, SnapshotGone, type Table } from './mongo-rows.ts';

interface Asked {
  key: string;
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

/** An image and the partition that it comes from. */
export interface Found<T> {
  image: T;
  partition: number;
}

/**
 * Reads rows as of the commits that it began with, each row once. What is asked for in one turn is
 * fetched in one round trip.
 */
export class Snapshot {
  /** It was asked for what has been written over twice since it began: nothing more can be read of it. */
  gone = false;
  /** It was asked for a row that is not there, as all of a dropped generation are not. */
  lacking = false;
  private readonly database: MongoDatabase;
  private readonly beginning: Beginning;
  private readonly fields: Document;
  private readonly rows = new Map<Table, Map<string, Promise<Row | undefined>>>();
  private readonly asked = new Map<Table, Asked[]>();

  /** `fields` is a projection of the rows. */
  constructor(database: MongoDatabase, beginning: Beginning, fields: Document = {}) {
    this.database = database;
    this.beginning = beginning;
    this.fields = fields;
  }

  get generation(): string {
    return this.beginning.generation.id;
  }

  /** Asks at once for all that `other` was asked for. */
  askLike(other: Snapshot): void {
    for (const [table, rows] of other.rows) {
      // Whoever comes to need one hears of its failure.
      for (const key of rows.keys()) this.row(table, key).catch(() => {});
    }
  }

  /** The row, and the field of its images that counts. */
  async at<T extends AnyImage>(
    table: Table,
    key: string,
  ): Promise<{ row: Row<T>; field: string } | undefined> {
    const row = await this.row(table, key);
    if (row === undefined) {
      this.lacking = true;
      return undefined;
    }
    const commit = this.beginning.moments.get(row.p)?.commit ?? 0;
    try {
      const field = fieldAt(row, commit);
      return field === undefined ? undefined : { row: row as Row<T>, field };
    } catch (error) {
      this.gone = true;
      throw error;
    }
  }

  async find<T extends AnyImage>(table: Table, key: string): Promise<Found<T> | undefined> {
    const found = await this.at<T>(table, key);
    const image = found?.row.i[found.field];
    return image && { image, partition: found.row.p };
  }

  async image<T extends AnyImage>(table: Table, key: string): Promise<T | undefined> {
    return (await this.find<T>(table, key))?.image;
  }

  /** What a tree speaks of was there; it is not where the tree is another one by now. */
  async need<T extends AnyImage>(table: Table, key: string): Promise<T> {
    const image = await this.image<T>(table, key);
    if (image !== undefined) return image;
    this.gone = true;
    throw new SnapshotGone();
  }

  row(table: Table, key: string): Promise<Row | undefined> {
    const rows = this.rows.get(table) ?? new Map<string, Promise<Row | undefined>>();
    this.rows.set(table, rows);
    let row = rows.get(key);
    if (row === undefined) {
      row = new Promise((resolve, reject) => this.ask(table, { key, resolve, reject }));
      rows.set(key, row);
    }
    return row;
  }

  private ask(table: Table, asked: Asked): void {
    const waiting = this.asked.get(table);
    if (waiting !== undefined) {
      waiting.push(asked);
      return;
    }
    this.asked.set(table, [asked]);
    // After everything that goes on without waiting.
    queueMicrotask(() => process.nextTick(() => void this.fetch(table)));
  }

  private async fetch(table: Table): Promise<void> {
    const asked = this.asked.get(table) ?? [];
    this.asked.delete(table);
    try {
      const ids = asked.map(({ key }) => key);
      const found = await this.database.find<Row>(`${this.generation}_${table}`, ids, this.fields);
      const rows = new Map(found.map((row) => [row._id, row]));
      for (const { key, resolve } of asked) resolve(rows.get(key));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
