import { mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { requireGeneration } from './catalogue.ts';
import { EmbeddedCatalogue } from './embedded-catalogue.ts';
import { OpenGenerations } from './embedded-open-generations.ts';
import { EmbeddedView } from './embedded-view.ts';
import { EmbeddedGenerationWriter } from './embedded-writer.ts';
import type { Generation, GenerationWriter, ReadStore, ReadView } from './read-store.ts';

/**
 * The read models in LMDB under `<dir>/read`: a catalogue, and an environment per generation, so
 * that a rebuild and the live generation do not wait for each other and a drop frees a folder.
 */
export async function openEmbeddedReadStore(dir: string): Promise<ReadStore> {
  const path = join(dir, 'read');
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const catalogue = new EmbeddedCatalogue(join(path, 'catalogue'));
  await removeOrphans(path, catalogue);
  return new EmbeddedReadStore(path, catalogue);
}

class EmbeddedReadStore implements ReadStore {
  private readonly catalogue: EmbeddedCatalogue;
  private readonly open: OpenGenerations;
  private readonly path: string;

  constructor(path: string, catalogue: EmbeddedCatalogue) {
    this.path = path;
    this.catalogue = catalogue;
    this.open = new OpenGenerations(path);
  }

  async generations(): Promise<Generation[]> {
    return structuredClone(this.catalogue.generations());
  }

  async create(projections: string, partitions: number, building = false): Promise<Generation> {
    return this.catalogue.create(projections, partitions, building);
  }

  async complete(id: string): Promise<void> {
    this.catalogue.complete(id);
  }

  async promote(id: string): Promise<void> {
    this.catalogue.promote(id);
  }

  async drop(id: string): Promise<void> {
    this.catalogue.remove(id);
    await this.open.closeAllBut(this.catalogue.generations());
    await rm(join(this.path, id), { recursive: true, force: true });
  }

  async openWriter(id: string): Promise<GenerationWriter> {
    requireGeneration(this.catalogue.generations(), id);
    return new EmbeddedGenerationWriter(this.catalogue, this.open, id);
  }

  async view<T>(read: (view: ReadView) => Promise<T>, id?: string): Promise<T | undefined> {
    const generations = this.catalogue.generations();
    const generation =
      id === undefined ? generations.find(({ live }) => live) : requireGeneration(generations, id);
    if (generation === undefined) return undefined;
    return this.open.use(generations, generation.id, async (tables) => {
      const view = new EmbeddedView(generation, tables);
      try {
        return await read(view);
      } finally {
        view.end();
      }
    });
  }

  async close(): Promise<void> {
    await this.open.closeAllBut([]);
    await this.catalogue.env.close();
  }
}

/** Folders that a drop was stopped before it had removed. Listed before the catalogue is read: a row precedes its folder. */
async function removeOrphans(path: string, catalogue: EmbeddedCatalogue): Promise<void> {
  const folders = readdirSync(path).filter((name) => /^g\d+-[0-9a-f]+$/.test(name));
  const orphans = folders.filter((name) => catalogue.find(name) === undefined);
  await Promise.all(orphans.map((name) => rm(join(path, name), { recursive: true, force: true })));
}
