import type { EventLog } from '../../shared/event-log/event-log.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { indexStory } from '../service/harness.ts';

/** Appends the records of the devnet's story to a log. */
export async function copyStory(log: EventLog): Promise<void> {
  const story = await indexStory();
  await story.caughtUp();
  const records: LogRecord[] = [];
  for (const { partition, end } of await story.stores.log.ends())
    for await (const batch of story.stores.log.scan(partition, 0, end))
      records.push(...batch.records.map(({ record }) => record));
  await story.close();
  const writer = await log.openWriter();
  await writer.append({ records, state: [] });
  await writer.close();
}
