import { randomBytes } from 'node:crypto';
import { LmdbEnvironment, type Table } from '../embedded/lmdb-environment.ts';
import { FatalError, InvalidInputError } from '../errors.ts';
import type { Generation } from './read-store.ts';

interface Contents {
  created: number;
  generations: Generation[];
}

const KEY = Buffer.from('generations');
const REVISION = Buffer.from('revision');

/** Which generations there are and which is live, in an environment of its own that every reader looks into first. */
export class Catalogue {
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

  /** The id is never used again, nor in another data folder: versions that clients keep begin with it. */
  create(projections: string, partitions: number, building: boolean): Generation {
    return this.change((contents) => {
      contents.created++;
      const live = !building && !contents.generations.some((each) => each.live);
      const generation = {
        id: `g${contents.created}-${randomBytes(4).toString('hex')}`,
        projections,
        partitions,
        createdAt: Math.floor(Date.now() / 1000),
        live,
        building,
        promotion: live ? nextPromotion(contents.generations) : 0,
      };
      contents.generations.push(generation);
      return generation;
    });
  }

  complete(id: string): void {
    this.change(({ generations }) => {
      requireGeneration(generations, id).building = false;
    });
  }

  promote(id: string): void {
    this.change(({ generations }) => {
      const promoted = requireGeneration(generations, id);
      if (promoted.building) throw stillBuilding(id);
      if (!promoted.live) promoted.promotion = nextPromotion(generations);
      for (const each of generations) each.live = each.id === id;
    });
  }

  remove(id: string): void {
    this.change((contents) => {
      if (requireGeneration(contents.generations, id).live) throw stillLive(id);
      contents.generations = contents.generations.filter((each) => each.id !== id);
    });
  }

  private change<T>(apply: (contents: Contents) => T): T {
    return this.env.write(() => {
      const contents = parse(this.table.get(KEY));
      const result = apply(contents);
      const revision = Buffer.alloc(8);
      revision.writeDoubleLE((this.table.get(REVISION)?.readDoubleLE(0) ?? 0) + 1);
      this.table.put(KEY, Buffer.from(JSON.stringify(contents)));
      this.table.put(REVISION, revision);
      return result;
    });
  }
}

export function requireGeneration(generations: Generation[], id: string): Generation {
  const found = generations.find((each) => each.id === id);
  if (found !== undefined) return found;
  const known = generations.map((each) => each.id).join(', ') || 'none';
  throw new InvalidInputError('GENERATION_UNKNOWN', `There is no generation ${id}; there are: ${known}`);
}

function nextPromotion(generations: Generation[]): number {
  return Math.max(0, ...generations.map(({ promotion }) => promotion)) + 1;
}

function stillBuilding(id: string): FatalError {
  return new FatalError(
    'GENERATION_BUILDING',
    `Generation ${id} is not built yet: let its rebuild end before promoting it`,
  );
}

function stillLive(id: string): FatalError {
  return new FatalError(
    'GENERATION_LIVE',
    `Generation ${id} is live: promote another one before dropping it`,
  );
}

function parse(stored: Buffer | undefined): Contents {
  return stored === undefined ? { created: 0, generations: [] } : JSON.parse(stored.toString());
}
