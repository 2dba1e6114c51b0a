import pLimit from 'p-limit';
import type { AppendBatch, LogWriter, StateChange } from '../shared/event-log/event-log.ts';
import type { LogRecord } from '../shared/event-log/record.ts';
import { accountChange, type TrackedAccount, type TrackedAccounts } from './tracked-accounts.ts';

/**
 * The one way to the log: appends one after the other, and the state in memory follows what became
 * durable. After a failure nobody knows whether the batch is there, so nothing more is appended: the
 * writer is to be opened again and its state read anew.
 */
export class LogAppender {
  private readonly writer: LogWriter;
  private readonly tracked: TrackedAccounts;
  private readonly inTurn = pLimit(1);
  private failure: { error: unknown } | null = null;

  constructor(writer: LogWriter, tracked: TrackedAccounts) {
    this.writer = writer;
    this.tracked = tracked;
  }

  append(batch: AppendBatch): Promise<void> {
    return this.appendIf(() => batch);
  }

  /** Asks for the batch when its turn has come, with all earlier appends in the state; null = none. */
  appendIf(decide: () => AppendBatch | null): Promise<void> {
    return this.inTurn(async () => {
      if (this.failure) throw this.failure.error;
      const batch = decide();
      if (!batch) return;
      try {
        await this.writer.append(batch);
      } catch (error) {
        this.failure = { error };
        throw error;
      }
      this.tracked.apply(batch.state);
    });
  }

  /** Why nothing can be appended any more, if so. */
  get failed(): { error: unknown } | null {
    return this.failure;
  }

  /** After the appends in flight. */
  close(): Promise<void> {
    return this.inTurn(() => this.writer.close());
  }
}

/** Records and the state that goes with them, appended whenever enough have come together. */
export class BoundedBatch {
  private readonly log: LogAppender;
  private readonly limits: { recordsPerAppend: number; bytesPerAppend: number };
  private records: LogRecord[] = [];
  private accounts = new Map<string, TrackedAccount>();
  private changes: StateChange[] = [];
  private bytes = 0;

  constructor(log: LogAppender, limits: { recordsPerAppend: number; bytesPerAppend: number }) {
    this.log = log;
    this.limits = limits;
  }

  /** A record and the state entries that become true with it, in the same append. */
  async add(
    record: LogRecord,
    bytes: number,
    account: TrackedAccount,
    changes: StateChange[] = [],
  ): Promise<void> {
    if (this.records.length >= this.limits.recordsPerAppend || this.bytes > this.limits.bytesPerAppend) {
      await this.flush();
    }
    this.records.push(record);
    this.bytes += bytes;
    this.set(account);
    this.changes.push(...changes);
  }

  set(account: TrackedAccount): void {
    this.accounts.set(`${account.dao}/${account.account}`, account);
  }

  /** Appends what is left, together with `last`. */
  async flush(last: Partial<AppendBatch> = {}): Promise<void> {
    const { records = [], state = [], ...rest } = last;
    const batch: AppendBatch = {
      records: [...this.records, ...records],
      state: [...[...this.accounts.values()].map(accountChange), ...this.changes, ...state],
      ...rest,
    };
    if (batch.records.length === 0 && batch.state.length === 0 && !batch.asOf) return;
    this.records = [];
    this.accounts = new Map();
    this.changes = [];
    this.bytes = 0;
    await this.log.append(batch);
  }
}
