import { join } from 'node:path';
import { GenerationTables } from './embedded-generation.ts';
import type { Generation } from './read-store.ts';

interface Open {
  tables: GenerationTables;
  users: number;
  /** Set once the environment is to be closed, called when the last user is gone. */
  unused?: () => void;
}

/** The environments that this process has open, each until its generation is dropped, also by another process. */
export class OpenGenerations {
  private readonly path: string;
  private readonly byId = new Map<string, Open>();
  private checkedAgainst: Generation[] | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Runs `action` on a generation of the catalogue, whose environment stays open until it has ended. */
  async use<T>(
    catalogue: Generation[],
    id: string,
    action: (tables: GenerationTables) => Promise<T>,
  ): Promise<T> {
    // The catalogue hands out another array after each change of it.
    if (catalogue !== this.checkedAgainst) {
      this.checkedAgainst = catalogue;
      void this.closeAllBut(catalogue);
    }
    const open = this.byId.get(id) ?? this.add(id);
    open.users++;
    try {
      return await action(open.tables);
    } finally {
      open.users--;
      if (open.users === 0) open.unused?.();
    }
  }

  async closeAllBut(kept: Generation[]): Promise<void> {
    const gone = [...this.byId].filter(([id]) => !kept.some((each) => each.id === id));
    await Promise.all(
      gone.map(async ([id, open]) => {
        this.byId.delete(id);
        if (open.users > 0) await new Promise<void>((resolve) => (open.unused = resolve));
        await open.tables.env.close();
      }),
    );
  }

  private add(id: string): Open {
    const open = { tables: new GenerationTables(join(this.path, id)), users: 0 };
    this.byId.set(id, open);
    return open;
  }
}
