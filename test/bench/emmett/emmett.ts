import type { StoredRecord } from '../../../shared/event-log/record.ts';

// What is used of @event-driven-io/emmett-sqlite 0.38.5, which is not among the dependencies.

export interface SqliteConnection {
  command(sql: string, values?: unknown[]): Promise<unknown>;
  query<T>(sql: string, values?: unknown[]): Promise<T[]>;
  withTransaction<T>(action: () => Promise<T>): Promise<T>;
  close(): void;
}

/** A record of the log as an event of its account's stream. */
export interface RecordEvent {
  type: 'record';
  data: StoredRecord;
}

interface Context {
  connection: SqliteConnection;
}

interface Consumer {
  processor(options: {
    processorId: string;
    startFrom: 'BEGINNING';
    stopAfter(event: RecordEvent): boolean;
    eachMessage(event: RecordEvent, context: Context): Promise<void>;
  }): unknown;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface EventStore {
  appendToStream(stream: string, events: RecordEvent[]): Promise<unknown>;
  consumer(options: { pulling: { batchSize: number } }): Consumer;
}

export interface InlineProjection {
  type: 'inline';
  projection: {
    name: string;
    canHandle: ['record'];
    handle(events: RecordEvent[], context: Context): Promise<void>;
  };
}

export interface Emmett {
  sqliteConnection(options: { fileName: string }): SqliteConnection;
  getSQLiteEventStore(options: { fileName: string; projections?: InlineProjection[] }): EventStore;
}
