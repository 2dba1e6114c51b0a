import type { PartitionHint } from './kafka-ends.ts';
import type { Fetched, KafkaMessage } from './kafka-fetcher.ts';
import { denseOffset } from './kafka-record.ts';

/**
 * A Kafka offset at or before the record `offset`, with no more than one append's records in between.
 *
 * Kafka's offsets have gaps (transaction markers, aborted records), the log's have none, so a record's
 * Kafka offset minus its dense one only ever grows. Between two known records that leaves a window as
 * wide as the gaps between them; it is narrowed by looking at single records, first where the gaps
 * would be even, then in the middle. A log of a million appends costs a handful of looks, and twenty
 * at most; the start and the end of a log cost none.
 */
export async function locate(
  offset: number,
  hint: PartitionHint,
  look: (kafka: number) => Promise<Fetched>,
): Promise<number> {
  if (offset === 0) return 0;
  if (offset >= hint.dense) return hint.kafka + offset - hint.dense;
  // The record `low.dense` is at `low.kafka` or behind; all records before `high.dense` are before `high.kafka`.
  let low = { dense: 0, kafka: 0 };
  let high = { dense: hint.dense, kafka: hint.kafka };
  for (let looks = 0; ; looks++) {
    const first = low.kafka + offset - low.dense;
    const last = high.kafka - (high.dense - offset);
    if (first >= last) return first;
    const share = looks % 2 === 0 ? (offset - low.dense) / (high.dense - low.dense) : 0.5;
    const guess = first + Math.floor((last - first) * share);
    const messages = await firstFrom(guess, high.kafka, look);
    const [before, after] = [messages[0], messages.at(-1)];
    if (!before || !after) high = { dense: high.dense, kafka: guess };
    else if (denseOffset(before) > offset) high = { dense: denseOffset(before), kafka: guess };
    else if (denseOffset(after) < offset) low = { dense: denseOffset(after) + 1, kafka: after.offset + 1 };
    else return before.offset;
  }
}

/** Looks on behind markers and aborted records, before `to`. */
async function firstFrom(
  from: number,
  to: number,
  look: (kafka: number) => Promise<Fetched>,
): Promise<KafkaMessage[]> {
  for (let at = from; at < to; ) {
    const { messages, next } = await look(at);
    if (messages.length > 0 || next === at) return messages;
    at = next;
  }
  return [];
}
