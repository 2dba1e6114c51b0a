import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { projectionsVersion } from '../../projector/generations.ts';
import { rebuild } from '../../projector/rebuild/rebuild.ts';
import { generationDigest } from '../../projector/run.ts';
import { readConfig } from '../../shared/config.ts';
import { withStores } from '../../shared/stores.ts';
import { undisturbedDigest } from '../service/digest.ts';
import { copyStory } from './copy-story.ts';
import { given } from './deployment.ts';

describe('a rebuild from Kafka into MongoDB', function () {
  this.timeout(5 * 60_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rebuild-services-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('in many shards and batches, stopped over and over, gives the digest of an undisturbed run', async () => {
    const name = `rebuild-${randomUUID().slice(0, 8)}`;
    const config = readConfig({
      ...given(),
      DATA_DIR: folder,
      KAFKA_PREFIX: name,
      MONGODB_DATABASE: name,
      LOG_PARTITIONS: '2',
      LOG_LEVEL: 'silent',
    });
    const logger = pino({ level: 'silent' });
    await withStores(config, async ({ log, store }) => {
      await copyStory(log);
      await store.create(projectionsVersion(), log.partitions, false);
      for (let attempt = 1; ; attempt++) {
        const stopping = new AbortController();
        let told = 0;
        const onProgress = () => {
          if (told++ === 8 * attempt) stopping.abort();
        };
        const sizes = { shardRecords: 100, batchBytes: 20_000 * attempt };
        const { signal } = stopping;
        const { complete, generation } = await rebuild({
          log,
          store,
          config,
          logger,
          signal,
          onProgress,
          ...sizes,
        });
        if (!complete) continue;
        expect(attempt).to.be.greaterThan(1);
        const writer = await store.openWriter(generation.id);
        expect(await generationDigest(writer, log.partitions)).to.equal(await undisturbedDigest());
        break;
      }
    });
  });
});
