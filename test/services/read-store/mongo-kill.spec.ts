import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { RetryableError } from '../../../shared/errors.ts';
import { openMongoReadStore } from '../../../shared/read-store/mongo.ts';
import type { ReadStore } from '../../../shared/read-store/read-store.ts';
import { startMongo } from '../servers/mongo.ts';
import type { Server } from '../servers/server.ts';
import { batchesIn, nthBatch } from './moving-list.ts';

const ROUNDS = 12;

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
    /** Until the server is gone. */
    const commitOn = async (): Promise<unknown> => {
      for (;;) {
        try {
          const { offset } = await writer.checkpoint(0);
          expect(offset).to.be.at.least(acknowledged);
          if ((await writer.commit(nthBatch(offset + 1))) === 'committed') acknowledged = offset + 1;
        } catch (error) {
          return error;
        }
      }
    };
    for (let round = 0; round < ROUNDS; round++) {
      const committing = commitOn();
      await sleep(50 + Math.random() * 400);
      await server.kill();
      expect(await committing).to.be.instanceOf(RetryableError);
      await server.start();
      const before = await batchesIn(store);
      expect(before).to.be.at.least(acknowledged);
      const { offset } = await writer.checkpoint(0);
      expect(offset)
        .to.be.oneOf([acknowledged, acknowledged + 1])
        .and.at.least(before);
      expect(await batchesIn(store)).to.equal(offset);
      acknowledged = offset;
    }
    expect(acknowledged).to.be.greaterThan(ROUNDS);
  });
});
