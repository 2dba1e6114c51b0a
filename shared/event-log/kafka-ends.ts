import pLimit from 'p-limit';
import { FatalError } from '../errors.ts';
import type { AsOf, PartitionEnd } from './event-log.ts';
import type { KafkaFetcher, KafkaMessage } from './kafka-fetcher.ts';
import { type Outgoing, outgoing } from './kafka-record.ts';

/**
 * What the one message of each append to the topic `ends` says, in the same transaction as the
 * append's records and state. So one message tells consistently where all partitions end and as of
 * what, and whoever has read it knows that the records before those ends are committed, even where
 * the marker in another partition is still on its way.
 */
export interface LogEnds {
  /** The writer that wrote it; a writer that finds another one than itself has been taken over. */
  writer: string;
  /** Counts the appends of the log, so that a writer can find out whether one took effect. */
  appends: number;
  asOf: AsOf | null;
  partitions: PartitionHint[];
}

export interface PartitionHint {
  /** Dense offset of the next record. */
  end: number;
  /**
   * Where the record `dense` is in Kafka, or later: of the append before, since the broker tells
   * Kafka's offsets only with its answer. A record's distance to its Kafka offset only ever grows.
   */
  dense: number;
  kafka: number;
}

/** How far before its end the topic is first looked at. */
const TAIL = 64;

/** Keeps up with the topic `ends`, reading each message once. */
export class EndsReader {
  private readonly fetcher: KafkaFetcher;
  private readonly topic: string;
  private readonly inTurn = pLimit(1);
  private position: number | null = null;
  private known: LogEnds;

  constructor(fetcher: KafkaFetcher, topic: string, partitions: number) {
    this.fetcher = fetcher;
    this.topic = topic;
    this.known = {
      writer: '',
      appends: 0,
      asOf: null,
      partitions: Array.from({ length: partitions }, () => ({ end: 0, dense: 0, kafka: 0 })),
    };
  }

  /** As last read. */
  get latest(): LogEnds {
    return this.known;
  }

  /** As committed when it was asked for, or later. */
  current(): Promise<LogEnds> {
    return this.inTurn(async () => {
      let position = this.position ?? (await this.findTail());
      for (;;) {
        const { messages, next, end } = await this.fetcher.patientFetch(this.topic, 0, position);
        this.apply(messages);
        position = next;
        this.position = position;
        if (position >= end) return this.known;
      }
    });
  }

  /** One fetch that waits up to `waitMs` for something newer; true where there was. */
  async poll(waitMs: number): Promise<boolean> {
    this.position ??= await this.findTail();
    const { messages, next } = await this.fetcher.fetch(this.topic, 0, this.position, { waitMs });
    this.position = next;
    this.apply(messages);
    return messages.length > 0;
  }

  /** A Kafka offset behind which the last message is. */
  private async findTail(): Promise<number> {
    const { end } = await this.fetcher.patientFetch(this.topic, 0, 0, { maxBytes: 1 });
    for (let back = TAIL; back < end; back *= 8) {
      for (let at = end - back; at < end; ) {
        const { messages, next } = await this.fetcher.patientFetch(this.topic, 0, at);
        if (messages.length > 0) return at;
        at = next;
      }
    }
    return 0;
  }

  private apply(messages: KafkaMessage[]): void {
    const last = messages.at(-1);
    if (last) this.known = parseEnds(this.topic, last, this.known.partitions.length);
  }
}

export function partitionEnds({ partitions, asOf }: LogEnds): PartitionEnd[] {
  return partitions.map(({ end }, partition) => ({ partition, end, asOf }));
}

/** Key `ends`; value `{version, writer, appends, asOf, partitions: [[end, dense, kafka], ...]}`. */
export function endsMessage(topic: string, { writer, appends, asOf, partitions }: LogEnds): Outgoing {
  const hints = partitions.map(({ end, dense, kafka }) => [end, dense, kafka]);
  return outgoing(topic, {
    partition: 0,
    key: 'ends',
    value: Buffer.from(JSON.stringify({ version: 1, writer, appends, asOf, partitions: hints })),
  });
}

function parseEnds(topic: string, { value, offset }: KafkaMessage, count: number): LogEnds {
  const {
    version,
    partitions,
    ...rest
  }: Omit<LogEnds, 'partitions'> & {
    version: number;
    partitions: [number, number, number][];
  } = JSON.parse(value?.toString() ?? '{}');
  if (version !== 1 || partitions.length !== count)
    throw new FatalError(
      'LOG_FORMAT',
      `The message at ${offset} of the topic ${topic} is of format ${version} for ${partitions?.length} partitions, ` +
        `not of format 1 for ${count}: a newer version of the program wrote to this log, use that one`,
    );
  return { ...rest, partitions: partitions.map(([end, dense, kafka]) => ({ end, dense, kafka })) };
}
