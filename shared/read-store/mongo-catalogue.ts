import type { Document } from 'mongodb';
import type { AsOf } from '../event-log/event-log.ts';
import { type Catalogue, requireGeneration } from './catalogue.ts';
import type { Stored } from './mongo-connection.ts';
import { GENERATIONS, type MongoDatabase } from './mongo-database.ts';
import type { Generation } from './read-store.ts';

/** Lies beside the heads, so that a view learns in one round trip what it begins with. */
const CATALOGUE = 'catalogue';

/** Where the images of a commit are until all of them have been applied. */
export interface BatchName {
  commit: number;
  /** Drawn by lot: of two attempts at one commit, one is named by the head. */
  attempt: string;
  chunks: number;
  /** Nodes that it takes out of their trees. */
  removed: number;
}

/**
 * What a partition has come to in a generation. A commit is one compare-and-set of its head, from
 * one commit number to the next; `pending` until the images of the batch have been applied.
 */
export interface Head {
  commit: number;
  pending: boolean;
  batch: BatchName;
  /** The batch before: the nodes that it took out of their trees are removed by this commit. */
  previous: BatchName | null;
  /** JSON: names in its tally may be what a field's name may not. */
  checkpoint: string;
  asOf: AsOf | null;
  /** That of the commit before, which is what readers see while this one is pending. */
  previousAsOf: AsOf | null;
}

/** What is seen of a partition: all of a commit and nothing of any later. */
export interface Moment {
  commit: number;
  asOf: AsOf | null;
}

/** The beginning of a view. */
export interface Beginning {
  generation: Generation;
  /** By partition, of those that anything was committed to. */
  moments: Map<number, Moment>;
}

type StoredCatalogue = Catalogue & { revision: number };

const NOTHING: StoredCatalogue = { created: 0, generations: [], revision: 0 };
/** What a view needs of a head, and the catalogue. */
const MOMENT = { created: 1, generations: 1, revision: 1, commit: 1, pending: 1, asOf: 1, previousAsOf: 1 };

export class MongoCatalogue {
  private readonly database: MongoDatabase;
  private known: Generation[] = [];

  constructor(database: MongoDatabase) {
    this.database = database;
  }

  async generations(): Promise<Generation[]> {
    return (await this.read([])).generations;
  }

  /** The catalogue, and the heads of those ids that are there. */
  async read(
    heads: string[],
    fields: Document = {},
  ): Promise<{ generations: Generation[]; heads: Stored<Head>[] }> {
    const found = await this.database.find<StoredCatalogue | Head>(
      GENERATIONS,
      [CATALOGUE, ...heads],
      fields,
    );
    const catalogue = found.find(({ _id }) => _id === CATALOGUE) as StoredCatalogue | undefined;
    this.known = catalogue?.generations ?? [];
    return {
      generations: this.known,
      heads: found.filter(({ _id }) => _id !== CATALOGUE) as unknown as Stored<Head>[],
    };
  }

  /** Of the generation named, or of the live one; undefined where none is live. */
  async begin(id: string | undefined): Promise<Beginning | undefined> {
    // The catalogue is read each time, together with the heads of the generation that it named last.
    let expected = this.known.find((each) => (id === undefined ? each.live : each.id === id));
    for (;;) {
      const { generations, heads } = await this.read(expected ? headIds(expected) : [], MOMENT);
      const generation =
        id === undefined ? generations.find(({ live }) => live) : requireGeneration(generations, id);
      if (generation === undefined) return undefined;
      if (generation.id === expected?.id) return { generation, moments: momentsOf(heads) };
      expected = generation;
    }
  }

  /** One compare-and-set of the catalogue: atomic for every reader. */
  async change<T>(apply: (catalogue: Catalogue) => T): Promise<T> {
    for (;;) {
      const [stored] = await this.database.find<StoredCatalogue>(GENERATIONS, [CATALOGUE]);
      const { created, generations, revision } = stored ?? structuredClone(NOTHING);
      const catalogue = { created, generations };
      const result = apply(catalogue);
      const next = { ...catalogue, revision: revision + 1 };
      const changed =
        stored === undefined
          ? await this.database.insert(GENERATIONS, { _id: CATALOGUE, ...next })
          : await this.database.update(GENERATIONS, { _id: CATALOGUE, revision }, { $set: next });
      if (changed) return result;
    }
  }
}

export function headId(generation: string, partition: number): string {
  return `${generation}/${partition}`;
}

function headIds({ id, partitions }: Generation): string[] {
  return Array.from({ length: partitions }, (_, partition) => headId(id, partition));
}

function momentsOf(heads: Stored<Head>[]): Map<number, Moment> {
  return new Map(
    heads.map(({ _id, commit, pending, asOf, previousAsOf }) => [
      Number(_id.slice(_id.indexOf('/') + 1)),
      pending ? { commit: commit - 1, asOf: previousAsOf } : { commit, asOf },
    ]),
  );
}
