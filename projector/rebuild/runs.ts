import { type BlockPlace, RowsWriter } from './rows-file.ts';
import type { WorkFolder } from './work-folder.ts';

/** Rows in a file, in the order of what they begin with. */
export interface Run {
  file: string;
  blocks: BlockPlace[];
  rows: number;
}

export type Row = readonly [id: string, ...unknown[]];

const BLOCK_BYTES = 64 * 1024;

/** Writes rows that come in order. */
export function writeRun<R extends Row>(
  folder: WorkFolder,
  file: string,
  rows: Iterable<R>,
  sizeOf: (row: R) => number,
): Run {
  return folder.finish(file, (draft) => {
    const run: Run = { file, blocks: [], rows: 0 };
    const writer = new RowsWriter<R>(draft);
    try {
      let block: R[] = [];
      let bytes = 0;
      for (const row of rows) {
        block.push(row);
        bytes += sizeOf(row);
        if (bytes < BLOCK_BYTES) continue;
        run.rows += block.length;
        run.blocks.push(writer.write(block));
        block = [];
        bytes = 0;
      }
      run.rows += block.length;
      if (block.length > 0) run.blocks.push(writer.write(block));
    } finally {
      writer.close();
    }
    return run;
  });
}
