import { randomUUID } from 'node:crypto';
import type { Kafka, RecordMetadata } from 'kafkajs';
import pLimit from 'p-limit';
import pRetry from 'p-retry';
import { FatalError, RetryableError } from '../errors.ts';
import type { AppendBatch, AsOf, LogWriter } from './event-log.ts';
import { EndsReader, endsMessage, type LogEnds } from './kafka-ends.ts';
import { isFenced, kafkaError } from './kafka-errors.ts';
import { KafkaFetcher } from './kafka-fetcher.ts';
import { type Outgoing, recordMessage, stateMessage } from './kafka-record.ts';
import type { Topics } from './kafka-topics.ts';
import { sendAll, TransactionalProducer } from './kafka-transaction.ts';

const APPEND_RETRIES = 6;
/** How long a refused writer looks for the one that took over before it suspects the coordinator's timeout. */
const TAKEOVER_MS = 10_000;
/** How long a committed transaction may take to be shown to readers. */
const VISIBLE_MS = 30_000;
const POLL_MS = 500;

/** What one append sends; whatever can be refused is refused. */
interface Prepared {
  records: Outgoing[];
  state: Outgoing[];
  asOf: AsOf | undefined;
}

/**
 * One Kafka transaction for each append: its records, state and ends. After a transaction that failed
 * the producer is replaced, which ends whatever it left open, and the topic `ends` tells whether the
 * append took effect: so it is resolved or tried again here, and never doubled. Where that goes on for
 * too long the append is given up, and with it the writer, since nobody knows: the next one opened does.
 */
export class KafkaWriter implements LogWriter {
  private readonly topics: Topics;
  private readonly producer: TransactionalProducer;
  private readonly id = randomUUID();
  private readonly inTurn = pLimit(1);
  private readonly fetcher: KafkaFetcher;
  private readonly endsReader: EndsReader;
  private ends: LogEnds;
  /** Why nothing can be appended any more, if so. */
  private failure: Error | null = null;

  constructor(kafka: Kafka, topics: Topics, transactionalId: string, partitions: number) {
    this.topics = topics;
    this.producer = new TransactionalProducer(kafka, transactionalId);
    // Connections of its own: waiting for what is committed must not keep other readers waiting.
    this.fetcher = new KafkaFetcher(kafka);
    this.endsReader = new EndsReader(this.fetcher, topics.ends, partitions);
    this.ends = this.endsReader.latest;
  }

  /** Fences every earlier writer, and signs the topic `ends` so that it can tell why it is refused. */
  async takeOver(): Promise<void> {
    try {
      await this.producer.take();
      this.ends = { ...(await this.endsReader.current()), writer: this.id };
      await this.write({ records: [], state: [], asOf: undefined });
    } catch (error) {
      await this.close();
      throw isFenced(error) ? fenced(this.topics, error) : kafkaError('to hand over the log', error);
    }
  }

  async *state(): AsyncGenerator<{ key: string; value: unknown }> {
    const entries = new Map<string, Buffer>();
    for (let at = 0, end = 1; at < end; ) {
      const fetched = await this.fetcher.patientFetch(this.topics.state, 0, at);
      for (const { key, value } of fetched.messages) {
        if (value === null) entries.delete(key.toString());
        else entries.set(key.toString(), value);
      }
      ({ next: at, end } = fetched);
    }
    for (const [key, value] of entries) yield { key, value: JSON.parse(value.toString()) };
  }

  async append(batch: AppendBatch): Promise<void> {
    const partitions = this.ends.partitions.length;
    const prepared = {
      records: batch.records.map((record) => recordMessage(this.topics.records, record, partitions)),
      state: batch.state.map(({ key, value }) => stateMessage(this.topics.state, key, value)),
      asOf: batch.asOf,
    };
    return this.inTurn(() => this.appendSurely(prepared));
  }

  close(): Promise<void> {
    return this.inTurn(async () => {
      this.failure ??= new FatalError('LOG_CLOSED', 'The writer of the log was closed');
      await this.producer.discard();
      await this.fetcher.close();
    });
  }

  private async appendSurely(prepared: Prepared): Promise<void> {
    if (this.failure) throw this.failure;
    const number = this.ends.appends + 1;
    let failed = false;
    const attempt = async () => {
      try {
        if (failed) await this.recover();
        if (this.ends.appends < number) await this.write(prepared);
      } catch (error) {
        failed = true;
        await this.producer.discard();
        if (isFenced(error) && (await this.takenOver(TAKEOVER_MS))) throw fenced(this.topics, error);
        throw kafkaError('an append', error);
      }
    };
    try {
      await pRetry(attempt, {
        retries: APPEND_RETRIES,
        minTimeout: 100,
        maxTimeout: 5000,
        shouldRetry: ({ error }) => error instanceof RetryableError,
      });
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  /** Takes the transactional id again and sees what is committed, unless another writer has it. */
  private async recover(): Promise<void> {
    if (await this.takenOver(0)) throw fenced(this.topics);
    await this.producer.take();
    if (await this.takenOver(0)) throw fenced(this.topics);
    this.ends = this.endsReader.latest;
  }

  private async write({ records, state, asOf }: Prepared): Promise<void> {
    const ends: LogEnds = {
      writer: this.id,
      appends: this.ends.appends + 1,
      asOf: asOf ?? this.ends.asOf,
      partitions: this.ends.partitions.map((hint) => ({ ...hint })),
    };
    for (const { message } of records) {
      const hint = ends.partitions[message.partition];
      if (hint) message.headers = { offset: String(hint.end++) };
    }
    const transaction = await this.producer.begin();
    const last = endsMessage(this.topics.ends, ends);
    const answers = await sendAll(transaction, [...records, ...state, last]);
    await transaction.commit();
    await this.visible(ends.appends);
    this.ends = this.withHints(ends, answers);
  }

  /** The broker answers a commit before it shows what was committed. */
  private async visible(appends: number): Promise<void> {
    const deadline = performance.now() + VISIBLE_MS;
    while (this.endsReader.latest.appends < appends) {
      await this.endsReader.poll(POLL_MS);
      if (performance.now() > deadline)
        throw new RetryableError('KAFKA_UNAVAILABLE', 'Kafka does not show what was committed');
    }
  }

  /** Where the first record of each partition went; a partition's later answers are of this append too. */
  private withHints(ends: LogEnds, answers: RecordMetadata[]): LogEnds {
    const partitions = ends.partitions.map((hint, partition) => {
      const first = answers.find(
        (answer) => answer.topicName === this.topics.records && answer.partition === partition,
      );
      const before = this.ends.partitions[partition]?.end ?? 0;
      return first?.baseOffset === undefined
        ? hint
        : { end: hint.end, dense: before, kafka: Number(first.baseOffset) };
    });
    return { ...ends, partitions };
  }

  private async takenOver(waitMs: number): Promise<boolean> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const { writer } = await this.endsReader.current();
      if (writer !== this.id) return true;
      if (performance.now() >= deadline) return false;
      await this.endsReader.poll(POLL_MS);
    }
  }
}

function fenced({ records }: Topics, cause?: unknown): FatalError {
  return new FatalError(
    'WRITER_FENCED',
    `Another indexer has taken over the log in ${records}; only one may write to it`,
    cause,
  );
}
