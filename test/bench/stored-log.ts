import { appendsOf } from './appends.ts';
import { type OwnLog, ownLog } from './kafka.ts';

const filled = new Map<number, Promise<OwnLog>>();

/** A log in Kafka with so many records of contributions in its one partition, filled once a run. */
export function storedLog(records: number): Promise<OwnLog> {
  const known = filled.get(records) ?? fill(records);
  filled.set(records, known);
  return known;
}

async function fill(records: number): Promise<OwnLog> {
  const own = await ownLog(`stored-${records}`);
  const writer = await own.log.openWriter();
  for (const append of appendsOf(records)) await writer.append(append);
  await writer.close();
  return own;
}
