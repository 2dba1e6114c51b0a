import { contractKinds } from '../../shared/contracts/contract-kind.ts';
import { eventData } from './event-data.ts';
import type { EventRow } from './event-row.ts';
import {
  address,
  amount,
  boolean,
  hash,
  integer,
  nullable,
  object,
  type Schema,
  text,
  time,
} from './json-schema.ts';

/** A type of a Parquet column; `JSON` and `TIMESTAMP` (milliseconds, UTC) are logical ones. */
export type ParquetType = 'INT32' | 'INT64' | 'BOOLEAN' | 'STRING' | 'TIMESTAMP' | 'JSON';

export interface Column {
  name: keyof EventRow;
  parquet: ParquetType;
  schema: Schema;
  meaning: string;
}

/** The names of all events, as the column `event` holds them. */
export const eventNames: readonly string[] = Object.keys(eventData);

const decimal: Schema = { type: 'string', pattern: '^-?(0|[1-9][0-9]*)$' };
const kind: Schema = { type: 'string', enum: contractKinds };
const event: Schema = { type: 'string', enum: eventNames };

/** The columns in their order: the one description of a row, for NDJSON and Parquet alike. */
export const columns: readonly Column[] = [
  column('partition', 'INT32', integer, 'partition of the log'),
  column('offset', 'INT64', integer, 'offset of the record in its partition'),
  column('index', 'INT32', integer, 'place of the event among those of its record, from 0'),
  column('dao', 'STRING', address, 'the DAO in whose scope the event stands'),
  column('account', 'STRING', address, 'the contract that the event is of'),
  column('kind', 'STRING', kind, 'what the contract is'),
  column('code_hash', 'STRING', nullable(hash), 'hash of the code that ran'),
  column(
    'contract_version',
    'STRING',
    nullable(text),
    'the version that the code is read as; null: not known',
  ),
  column('event', 'STRING', event, 'the event'),
  column('lt', 'STRING', nullable(amount), 'logical time of the transaction; null for facts that are none'),
  column('hash', 'STRING', nullable(hash), 'hash of the transaction'),
  column('block_workchain', 'INT32', nullable(integer), 'workchain of the block that holds or showed it'),
  column('block_shard', 'STRING', nullable(decimal), 'shard of the block, signed decimal'),
  column('block_seqno', 'INT64', nullable(integer), 'seqno of the block'),
  column('time', 'TIMESTAMP', nullable(time), 'UTC, whole seconds; null for jetton_metadata and dao_status'),
  column('success', 'BOOLEAN', nullable(boolean), 'the transaction succeeded; null for facts that are none'),
  column('source', 'STRING', nullable(address), 'sender of the in-message'),
  column('value', 'STRING', nullable(amount), 'nanotons that came with the in-message'),
  column(
    'data',
    'JSON',
    { type: 'object' },
    "the event's own fields: amounts in smallest units, times in unix seconds",
  ),
];

/** The JSON Schema (2020-12) of one line of NDJSON, and of one message of the events topic. */
export const rowSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Event of a DAO',
  ...object(
    Object.fromEntries(
      columns.map(({ name, schema, meaning }) => [name, { ...schema, description: meaning }]),
    ),
  ),
  allOf: Object.entries(eventData).map(([name, fields]) => ({
    if: { properties: { event: { const: name } } },
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
    then: { properties: { data: object(fields) } },
  })),
};

function column(name: keyof EventRow, parquet: ParquetType, schema: Schema, meaning: string): Column {
  return { name, parquet, schema, meaning };
}
