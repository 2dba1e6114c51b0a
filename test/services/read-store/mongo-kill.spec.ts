import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pRetry from 'p-retry';
import { pino } from 'pino';
import { RetryableError } from '../../../shared/errors.ts';
import { openMongoReadStore } from '../../../shared/read-store/mongo.ts';
import type { ReadStore } from '../../../shared/read-store/read-store.ts';
import { until } from '../../conformance/subject.ts';
import { startMongo } from '../servers/mongo.ts';
import type { Server } from '../servers/server.ts';
import { batchesIn, nthBatch } from './moving-list.ts';

const ROUNDS = 10;

/** Connections of before the kill may be in the way for a moment. */
function patiently<T>(ask: () => Promise<T>): Promise<T> {
  return pRetry(ask, { minTimeout: 100, shouldRetry: ({ error }) => error instanceof RetryableError });
}

describe('The read store in MongoDB while its server is killed', () => {
  let server: Server;
  let store: ReadStore;

  before(async () => {
    server = await startMongo();
    store = await openMongoReadStore({
      url: server.url,
      database: 'killed',
      logger: pino({ level: 'silent' }),
    });
  });

  after(async () => {
    await store.close();
    await server.stop();
  });

  it('has whole batches alone after each kill, every one that was acknowledged among them', async function () {
    this.timeout(300_000);
    const { id } = await store.create('1', 1);
    const writer = await store.openWriter(id);
    let acknowledged = 0;
    const commitOn = async (killed: AbortSignal): Promise<void> => {
      while (!killed.aborted) {
        try {
          const { offset } = await writer.checkpoint(0);
          expect(offset).to.be.at.least(acknowledged);
          if ((await writer.commit(nthBatch(offset + 1))) === 'committed') acknowledged = offset + 1;
        } catch (error) {
          expect(error).to.be.instanceOf(RetryableError);
        }
      }
    };
    for (let round = 0; round < ROUNDS; round++) {
      const killed = new AbortController();
      const from = acknowledged;
      const committing = commitOn(killed.signal);
      await until(() => acknowledged > from);
      await sleep(Math.random() * 300);
      killed.abort();
      await server.kill();
      await committing;
      await server.start();
      const before = await patiently(() => batchesIn(store));
      expect(before).to.be.at.least(acknowledged);
      const { offset } = await patiently(() => writer.checkpoint(0));
      expect(offset)
        .to.be.oneOf([acknowledged, acknowledged + 1])
        .and.at.least(before);
      expect(await patiently(() => batchesIn(store))).to.equal(offset);
      acknowledged = offset;
    }
  });
});
