import type { Config } from '../../shared/config.ts';
import { FatalError } from '../../shared/errors.ts';
import type { RawBatch } from '../../shared/event-log/event-log.ts';
import { openEventLog } from '../../shared/stores.ts';

/** The records `[from, to)` of a partition of the configured log, unparsed and all of them. */
export async function* readLog(
  config: Config,
  partition: number,
  from: number,
  to: number,
): AsyncGenerator<RawBatch> {
  const log = await openEventLog(config);
  try {
    let next = from;
    for await (const batch of log.scanRaw(partition, from, to)) {
      yield batch;
      next = batch.to;
    }
    if (next < to) throw endsEarly(partition, next, to);
  } finally {
    await log.close();
  }
}

function endsEarly(partition: number, at: number, end: number): FatalError {
  return new FatalError(
    'LOG_DAMAGED',
    `Partition ${partition} of the log ends at ${at}, and was ${end} long before: restore it from a backup`,
  );
}
