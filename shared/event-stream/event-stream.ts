/** The events of the records `[from, to)` of one partition of the log. */
export interface EventBatch {
  partition: number;
  from: number;
  to: number;
  /** In order; there may be none. */
  events: { dao: string; json: string }[];
}

/**
 * Port: decoded events for other services to follow, in as many partitions as the log has and in its
 * order, each event once.
 */
export interface EventStream {
  /**
   * Takes a partition over and tells the offset in the log that its events go on from: what another
   * publisher has in flight is in the stream, or never will be.
   */
  position(partition: number): Promise<number>;
  /**
   * Makes the events durable together with the new position. Where it throws, whether they are is not
   * known: ask for the position again. A RetryableError `STREAM_POSITION` where `from` is not the
   * position, or another publisher has taken the partition over.
   */
  publish(batch: EventBatch): Promise<void>;
  close(): Promise<void>;
}
