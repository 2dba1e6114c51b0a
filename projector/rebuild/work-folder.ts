import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../shared/config.ts';
import { openDataFolder } from '../../shared/data-folder.ts';

const FOLDER = 'rebuild';

/**
 * Where a rebuild keeps what lies between the log and the documents, in the data folder. A file is
 * there whole or not at all, also for one who is killed: drafts are renamed once they are written, and
 * what is left of them goes with the folder.
 */
export class WorkFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** That of a generation, which may not be there. */
  static of({ DATA_DIR }: Config, generation: string): WorkFolder {
    return new WorkFolder(join(DATA_DIR, FOLDER, generation));
  }

  /** A folder in it. */
  within(name: string): WorkFolder {
    return new WorkFolder(join(this.path, name));
  }

  async make(config: Config): Promise<void> {
    await openDataFolder(config.DATA_DIR);
    await mkdir(this.path, { recursive: true, mode: 0o700 });
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Undefined where it was not written. */
  read(name: string): unknown {
    try {
      return JSON.parse(readFileSync(this.file(name), 'utf8'));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  write(name: string, value: unknown): void {
    this.finish(name, (draft) => writeFileSync(draft, JSON.stringify(value), { mode: 0o600 }));
  }

  /** Puts what `action` writes to the draft in the place of the name. */
  finish<T>(name: string, action: (draft: string) => T): T {
    const draft = this.draft(name);
    const done = action(draft);
    this.settle(draft, name);
    return done;
  }

  draft(name: string): string {
    return this.file(`${name}-${randomUUID()}.draft`);
  }

  settle(draft: string, name: string): void {
    renameSync(draft, this.file(name));
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }

  /** Removes the folders of generations that are not built any more. */
  static async sweep(config: Config, building: readonly string[]): Promise<void> {
    const root = join(config.DATA_DIR, FOLDER);
    for (const name of await readdir(root).catch(() => [])) {
      if (!building.includes(name)) await rm(join(root, name), { recursive: true, force: true });
    }
  }
}
