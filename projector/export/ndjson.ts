import type { EventRow } from './event-row.ts';

/** A row as one line, without the line break. */
export function ndjsonLine(row: EventRow): string {
  return JSON.stringify(row);
}

export async function* toNdjson(batches: AsyncIterable<EventRow[]>): AsyncGenerator<Uint8Array> {
  for await (const rows of batches) {
    if (rows.length > 0) yield Buffer.from(rows.map((row) => `${ndjsonLine(row)}\n`).join(''));
  }
}
