import { LmdbEnvironment, type Table } from '../embedded/lmdb-environment.ts';
import {
  type Catalogue,
  completeGeneration,
  createGeneration,
  promoteGeneration,
  removeGeneration,
} from './catalogue.ts';
import type { Generation } from './read-store.ts';

const KEY = Buffer.from('generations');
const REVISION = Buffer.from('revision');

/** Which generations there are and which is live, in an environment of its own that every reader looks into first. */
export class EmbeddedCatalogue {
  readonly env: LmdbEnvironment;
  private readonly table: Table;
  private known: Generation[] = [];
  private revision = -1;

  constructor(path: string) {
    this.env = new LmdbEnvironment(path);
    this.table = this.env.table('catalogue');
  }

  /** As it stands now; parsed anew only after a change. */
  generations(): Generation[] {
    return this.env.read((options) => {
      const revision = this.table.peek(REVISION, options)?.readDoubleLE(0) ?? 0;
      if (revision !== this.revision) {
        this.known = parse(this.table.get(KEY, options)).generations;
        this.revision = revision;
      }
      return this.known;
    });
  }

  find(id: string): Generation | undefined {
    return this.generations().find((each) => each.id === id);
  }

  create(projections: string, partitions: number, building: boolean): Generation {
    return this.change((catalogue) => createGeneration(catalogue, { projections, partitions, building }));
  }

  complete(id: string): void {
    this.change((catalogue) => completeGeneration(catalogue, id));
  }

  promote(id: string): void {
    this.change((catalogue) => promoteGeneration(catalogue, id));
  }

  remove(id: string): void {
    this.change((catalogue) => removeGeneration(catalogue, id));
  }

  private change<T>(apply: (catalogue: Catalogue) => T): T {
    return this.env.write(() => {
      const catalogue = parse(this.table.get(KEY));
      const result = apply(catalogue);
      const revision = Buffer.alloc(8);
      revision.writeDoubleLE((this.table.get(REVISION)?.readDoubleLE(0) ?? 0) + 1);
      this.table.put(KEY, Buffer.from(JSON.stringify(catalogue)));
      this.table.put(REVISION, revision);
      return result;
    });
  }
}

function parse(stored: Buffer | undefined): Catalogue {
  return stored === undefined ? { created: 0, generations: [] } : JSON.parse(stored.toString());
}
