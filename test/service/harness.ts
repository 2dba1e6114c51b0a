import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { startIndexer } from '../../indexer/run.ts';
import { startProjector } from '../../projector/run.ts';
import { readStatus } from '../../projector/status.ts';
import { createChainClient } from '../../shared/chain/chain-client.ts';
import { readConfig } from '../../shared/config.ts';
import { openStores, type Stores } from '../../shared/stores.ts';
import { type Devnet, type DevnetOptions, startDevnet } from '../devnet/devnet.ts';

const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' });

export interface IndexedStory {
  devnet: Devnet;
  stores: Stores;
  /** Resolves once the read models show the newest block of the chain. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** The devnet with its story, indexed and projected in this process on embedded stores of their own. */
export async function indexStory(options: Partial<DevnetOptions> = {}): Promise<IndexedStory> {
  const folder = await mkdtemp(join(tmpdir(), 'story-'));
  const devnet = await startDevnet({ dataDir: join(folder, 'devnet'), port: 0, ...options });
  const stores = await openStores(readConfig({ DATA_DIR: join(folder, 'data') }));
  const { log, store } = stores;
  const projector = await startProjector({ log, store, logger });
  const requests = new AbortController();
  const indexer = startIndexer({
    chain: createChainClient({ endpoints: [{ url: devnet.url }], signal: requests.signal }),
    log,
    daos: devnet.story.daos.map(({ address }) => address),
    logger,
    pollMs: 20,
  });
  return {
    devnet,
    stores,
    caughtUp: () => untilCaughtUp(stores, devnet),
    close: async () => {
      await indexer.stop();
      requests.abort();
      await projector.stop();
      await stores.close();
      await devnet.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function untilCaughtUp({ log, store }: Stores, devnet: Devnet): Promise<void> {
  const newest = devnet.head();
  for (;;) {
    const { partitions, generations } = await readStatus(log, store);
    const indexed = partitions.every(({ seqno }) => (seqno ?? 0) >= newest);
    const complete = await Promise.all(
      devnet.story.daos.map(({ address }) => store.view((view) => view.get('dao_state', address))),
    );
    const live = complete.every((state) => state?.body.toString() === '{"state":"live"}');
    if (indexed && live && generations.every(({ lag }) => lag === 0)) return;
    await pause(50);
  }
}
