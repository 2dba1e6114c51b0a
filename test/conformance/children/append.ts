import { IndexerError } from '../../../shared/errors.ts';
import type { EventLog } from '../../../shared/event-log/event-log.ts';
import { daoOf, factOf } from '../facts.ts';

/** Appends batch after batch, goes on where the state ends, and prints the number of each that is durable. */
const [module = '', at = ''] = process.argv.slice(2);
const { open }: { open: (at: string) => Promise<EventLog> } = await import(module);
const writer = await (await open(at)).openWriter();
let batches = 0;
for await (const { key, value } of writer.state()) if (key === 'batches') batches = Number(value);
try {
  for (;;) {
    batches++;
    await writer.append({
      records: Array.from({ length: 12 }, (_, dao) => factOf(daoOf(dao), batches)),
      state: [{ key: 'batches', value: batches }],
      asOf: { seqno: batches, time: batches },
    });
    console.log(batches);
    await new Promise((resolve) => setImmediate(resolve));
  }
} catch (error) {
  console.log(error instanceof IndexerError ? error.code : error);
}
