import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { EventRow } from '../../projector/export/event-row.ts';
import { columns } from '../../projector/export/row-schema.ts';

/** The rows of a Parquet file as NDJSON has them. */
export async function readParquet(file: Buffer): Promise<EventRow[]> {
  const rows = await parquetReadObjects({ file: arrayBufferOf(file) });
  return rows.map((row) =>
    Object.fromEntries(columns.map(({ name }) => [name, plain(row[name])])),
  ) as unknown as EventRow[];
}

export function parquetRowGroups(file: Buffer): number[] {
  return parquetMetadata(arrayBufferOf(file)).row_groups.map(({ num_rows }) => Number(num_rows));
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  return value ?? null;
}

function arrayBufferOf(file: Buffer): ArrayBuffer {
  return new Uint8Array(file).buffer;
}
