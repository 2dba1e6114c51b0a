import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { EventRow } from './event-row.ts';
import { type Column, columns, type ParquetType } from './row-schema.ts';

/** A row group is held in memory: it ends where either is reached. */
const GROUP_ROWS = 10_000;
const GROUP_BYTES = 16 * 1024 * 1024;

/** A Parquet file of the rows, chunk by chunk: one row group each, compressed with Snappy, then the footer. */
export async function* toParquet(batches: AsyncIterable<EventRow[]>): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'ton-dao-indexer' });
  let group: EventRow[] = [];
  let size = 0;
  for await (const rows of batches) {
    for (const row of rows) {
      group.push(row);
      size += JSON.stringify(row.data).length;
      if (group.length < GROUP_ROWS && size < GROUP_BYTES) continue;
      await writeGroup(writer, group);
      yield taken(bytes);
      group = [];
      size = 0;
    }
  }
  await writeGroup(writer, group);
  await writer.finish();
  yield taken(bytes);
}

async function writeGroup(writer: ParquetWriter, rows: EventRow[]): Promise<void> {
  const columnData = columns.map(({ name, parquet }) => ({
    name,
    data: rows.map((row) => toParquetValue(parquet, row[name])),
    // The bounds of a JSON column are kept whole, whatever its size, and nobody can use them.
    statistics: parquet !== 'JSON',
  }));
  await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
}

/** What was written since the last time. */
function taken(writer: ByteWriter): Uint8Array {
  const chunk = writer.getBytes().slice();
  writer.index = 0;
  return chunk;
}

function toParquetValue(type: ParquetType, value: EventRow[keyof EventRow]): unknown {
  if (value === null) return null;
  if (type === 'INT64') return BigInt(value as number);
  if (type === 'TIMESTAMP') return new Date(value as string);
  return value;
}

const elements: Record<ParquetType, Omit<SchemaElement, 'name'>> = {
  INT32: { type: 'INT32' },
  INT64: { type: 'INT64' },
  BOOLEAN: { type: 'BOOLEAN' },
  STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  TIMESTAMP: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  JSON: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
};

const schema: SchemaElement[] = [{ name: 'events', num_children: columns.length }, ...columns.map(element)];

function element({ name, parquet, schema: { type } }: Column): SchemaElement {
  const optional = Array.isArray(type) && type.includes('null');
  return { name, ...elements[parquet], repetition_type: optional ? 'OPTIONAL' : 'REQUIRED' };
}
