import type { Config } from './config.ts';
import { openDataFolder } from './data-folder.ts';
import { openEmbeddedEventLog } from './event-log/embedded.ts';
import type { EventLog } from './event-log/event-log.ts';
import { openEmbeddedReadStore } from './read-store/embedded.ts';
import type { ReadStore } from './read-store/read-store.ts';
import { openEmbeddedRevocationList } from './revocations/embedded.ts';
import type { RevocationList } from './revocations/revocation-list.ts';

/** The three ports, opened on the adapters that the configuration names. */
export interface Stores {
  log: EventLog;
  store: ReadStore;
  revocations: RevocationList;
  close(): Promise<void>;
}

export async function openStores(config: Config): Promise<Stores> {
  await openDataFolder(config.DATA_DIR);
  const log = await openEmbeddedEventLog(config.DATA_DIR, config.LOG_PARTITIONS);
  const store = await openEmbeddedReadStore(config.DATA_DIR);
  const revocations = await openEmbeddedRevocationList(config.DATA_DIR);
  const close = async () => {
    await revocations.close();
    await store.close();
    await log.close();
  };
  return { log, store, revocations, close };
}

/** Opens the stores for one use. */
export async function withStores<T>(config: Config, use: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = await openStores(config);
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}
