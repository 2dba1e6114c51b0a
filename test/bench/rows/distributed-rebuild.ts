import { pino } from 'pino';
import { rebuild } from '../../../projector/rebuild/rebuild.ts';
import { RebuildThreads } from '../../../projector/rebuild/rebuild-threads.ts';
import { project } from '../../../projector/run.ts';
import { readConfig } from '../../../shared/config.ts';
import { follow } from '../following.ts';
import { ownDatabase, ownStore } from '../mongo.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';
import { serverUrl } from '../servers.ts';
import { storedLog } from '../stored-log.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ROUNDS = 3;
const RECORDS: Record<Size, number> = { small: 2000, full: 20_000 };
const logger = pino({ level: 'silent' });

export const distributedRebuild: Row = {
  name: 'distributed-rebuild',
  ours: 'rebuild from Kafka into MongoDB',
  reference: 'following the same log and folding it as it comes',
  unit: 'records a second by the clock',
  goal: { atLeast: 1 },
  async measure(size) {
    const count = RECORDS[size];
    const stored = await storedLog(count);
    const store = await ownStore(await ownDatabase('rebuild'));
    // The threads read the log; what they make is written here.
    const config = readConfig({
      DATA_DIR: temporaryFolder('distributed-rebuild'),
      KAFKA_BROKERS: await serverUrl('kafka'),
      KAFKA_PREFIX: stored.prefix,
      LOG_PARTITIONS: '1',
    });
    // The first one is live at once, and stays.
    await store.create('live', 1);
    const threads = new RebuildThreads();
    const rebuilt = async () => {
      const { generation, seconds } = await rebuild({ log: stored.log, store, config, logger, threads });
      await store.drop(generation.id);
      return count / seconds;
    };
    const followed = async () => {
      const { id } = await store.create('bench', 1);
      const writer = await store.openWriter(id);
      const took = await follow(stored, count, (batch) => project(batch, writer, logger));
      await store.drop(id);
      return (count * 1000) / took;
    };
    // The first ones compile.
    await rebuilt();
    await followed();
    const rates = await mediansOfRounds(ROUNDS, rebuilt, followed);
    await threads.close();
    return { ...rates, note: `${count} records` };
  },
};
