import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { pack, unpack } from 'msgpackr';
import { rebuildElsewhere } from './rebuild-errors.ts';

/** Where a block lies in a file. */
export interface BlockPlace {
  at: number;
  size: number;
}

/** A file of rows, in blocks. Threads that have nothing else to do write and read it, and wait for that. */
export class RowsWriter<T> {
  private readonly file: number;
  private at = 0;

  constructor(path: string) {
    this.file = opened(path, 'w');
  }

  write(rows: T[]): BlockPlace {
    const packed = pack(rows);
    for (let done = 0; done < packed.length; )
      done += writeSync(this.file, packed, done, packed.length - done, this.at + done);
    const place = { at: this.at, size: packed.length };
    this.at += packed.length;
    return place;
  }

  close(): void {
    closeSync(this.file);
  }
}

export class RowsReader<T> {
  private readonly file: number;

  constructor(path: string) {
    this.file = opened(path, 'r');
  }

  read({ at, size }: BlockPlace): T[] {
    // Not of a pool: rows may be parts of it.
    const block = Buffer.allocUnsafeSlow(size);
    for (let done = 0; done < size; ) {
      const read = readSync(this.file, block, done, size - done, at + done);
      if (read === 0) throw new Error(`a file of the rebuild ends at ${at + done}, before its end`);
      done += read;
    }
    return unpack(block);
  }

  close(): void {
    closeSync(this.file);
  }
}

/** Whoever comes to the next step first takes away what the one before has left. */
function opened(path: string, flags: 'r' | 'w'): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw rebuildElsewhere();
    throw error;
  }
}
