import { FatalError } from '../errors.ts';
import { type LogTables, recordKey, stateEntry } from './embedded-store.ts';
import type { AppendBatch, LogWriter } from './event-log.ts';
import { partitionOf } from './partition.ts';

const STATE_PAGE = 1000;

/** Holds the log as long as no later writer has raised the epoch. */
export class EmbeddedWriter implements LogWriter {
  private readonly tables: LogTables;
  private readonly epoch: number;
  private readonly appended: () => void;

  constructor(tables: LogTables, appended: () => void) {
    this.tables = tables;
    this.appended = appended;
    this.epoch = tables.env.write(() => (tables.epoch += 1));
  }

  async *state(): AsyncGenerator<{ key: string; value: unknown }> {
    let after: Buffer | undefined;
    for (;;) {
      const page = this.statePage(after);
      yield* page.map(({ key, value }) => ({ key: key.toString(), value: JSON.parse(value.toString()) }));
      if (page.length < STATE_PAGE) return;
      after = page.at(-1)?.key;
    }
  }

  async append(batch: AppendBatch): Promise<void> {
    const { env, partitions, records, state } = this.tables;
    // Whatever can be refused is, before the transaction begins and holds others up.
    const changes = batch.state.map(({ key, value }) => stateEntry(key, value));
    const facts = batch.records.map((record) => ({
      partition: partitionOf(record.dao, partitions),
      json: Buffer.from(JSON.stringify(record)),
    }));
    env.write(() => {
      if (this.tables.epoch !== this.epoch) throw fenced(this.tables.path);
      const ends = new Map<number, number>();
      for (const { partition, json } of facts) {
        const offset = ends.get(partition) ?? this.tables.end(partition).end;
        records.put(recordKey(partition, offset), json);
        ends.set(partition, offset + 1);
      }
      for (const { key, value } of changes) {
        if (value === null) state.remove(key);
        else state.put(key, value);
      }
      for (let partition = 0; partition < partitions; partition++) {
        const end = ends.get(partition);
        if (end === undefined && batch.asOf === undefined) continue;
        const before = this.tables.end(partition);
        this.tables.putEnd({ partition, end: end ?? before.end, asOf: batch.asOf ?? before.asOf });
      }
    });
    this.appended();
  }

  async close(): Promise<void> {
    // The epoch stays: it fences earlier writers, and a later one raises it.
  }

  private statePage(after: Buffer | undefined): { key: Buffer; value: Buffer }[] {
    const { env, state } = this.tables;
    const start = after === undefined ? {} : { start: after, exclusiveStart: true };
    return env.read((options) => state.range({ ...start, limit: STATE_PAGE, ...options }));
  }
}

function fenced(path: string): FatalError {
  return new FatalError(
    'WRITER_FENCED',
    `Another indexer has taken over the log in ${path}; only one may write to it. Nothing was appended.`,
  );
}
