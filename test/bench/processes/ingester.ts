import { createChainClient } from '../../../shared/chain/chain-client.ts';
import { openEmbeddedEventLog } from '../../../shared/event-log/embedded.ts';
import { indexUpToHead } from '../../indexer/indexing.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface IngesterTask {
  port: number;
  dao: string;
}

export interface Ingested {
  records: number;
  cpuMicroseconds: number;
}

/** Fetches, verifies and appends all that is known of a DAO, into a new log each time it is asked. */
process.on('message', (task: IngesterTask) => {
  void ingest(task).then((ingested) => process.send?.(ingested));
});
process.once('disconnect', () => process.exit());

async function ingest({ port, dao }: IngesterTask): Promise<Ingested> {
  const log = await openEmbeddedEventLog(temporaryFolder('ingestion'), 4);
  const chain = createChainClient({
    endpoints: [{ url: `http://127.0.0.1:${port}` }],
    timeoutMs: 60_000,
  });
  const before = process.cpuUsage();
  await indexUpToHead(chain, log, [dao]);
  const { user, system } = process.cpuUsage(before);
  const records = (await log.ends()).reduce((sum, { end }) => sum + end, 0);
  await log.close();
  return { records, cpuMicroseconds: user + system };
}
