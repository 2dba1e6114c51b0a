import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FatalError, InvalidInputError } from '../../../shared/errors.ts';
import { openEmbeddedEventLog } from '../../../shared/event-log/embedded.ts';
import { eventLogConformance } from '../../conformance/event-log.ts';
import { daoOf, factOf, PARTITIONS } from '../../conformance/facts.ts';
import { followLog } from '../../conformance/follower.ts';
import { rejection, until } from '../../conformance/subject.ts';
import { open } from './open-embedded.ts';

eventLogConformance('embedded', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'event-log-'));
  return {
    open: () => open(dir),
    opener: { module: new URL('open-embedded.ts', import.meta.url).href, at: dir },
    destroy: () => rm(dir, { recursive: true }),
  };
});

describe('The embedded log alone', () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'event-log-'));
  });

  afterEach(() => rm(dir, { recursive: true }));

  it('refuses another number of partitions than it was created with, and says which', async () => {
    await (await open(dir)).close();
    const error = await rejection(openEmbeddedEventLog(dir, PARTITIONS + 1));
    expect(error).to.be.instanceOf(FatalError).with.property('code', 'LOG_PARTITIONS_FIXED');
    expect(error).to.have.property('message').that.includes(`configure ${PARTITIONS}`);
    await (await open(dir)).close();
  });

  it('refuses a number of partitions that cannot be', async () => {
    for (const partitions of [0, -1, 1.5, Number.NaN]) {
      expect(await rejection(openEmbeddedEventLog(dir, partitions))).to.be.instanceOf(InvalidInputError);
    }
  });

  it('refuses a state key that LMDB cannot hold before it writes anything', async () => {
    const log = await open(dir);
    const writer = await log.openWriter();
    for (const key of ['', 'k'.repeat(2000)]) {
      const error = await rejection(
        writer.append({ records: [factOf(daoOf(0), 0)], state: [{ key, value: 1 }] }),
      );
      expect(error).to.be.instanceOf(InvalidInputError).with.property('code', 'KEY_SIZE');
    }
    expect((await log.ends()).every(({ end }) => end === 0)).to.equal(true);
    await log.close();
  });

  it('tells that the follower is ahead of the log, instead of waiting for ever', async () => {
    const log = await open(dir);
    const follower = await followLog(log, { checkpoint: () => 7 });
    await until(() => follower.failures.length >= PARTITIONS);
    expect(follower.failures[0]?.error)
      .to.be.instanceOf(FatalError)
      .with.property('code', 'CHECKPOINT_BEYOND_LOG');
    await log.close();
  });

  it('ends the batches by their bytes too', async () => {
    const log = await open(dir);
    const writer = await log.openWriter();
    const records = Array.from({ length: 12 }, (_, n) => {
      const fact = factOf(daoOf(0), n);
      return fact.type === 'jetton_metadata'
        ? { ...fact, metadata: { name: 'x'.repeat(1024 * 1024) } }
        : fact;
    });
    await writer.append({ records, state: [] });
    const partition = (await log.ends()).find(({ end }) => end === 12)?.partition ?? -1;
    const sizes: number[] = [];
    for await (const batch of log.scan(partition, 0, 12)) sizes.push(batch.records.length);
    expect(sizes).to.deep.equal([4, 4, 4]);
    await log.close();
  });

  it('stops its followers when it is closed', async () => {
    const log = await open(dir);
    const follower = await followLog(log);
    await log.close();
    const batches = follower.all().length;
    const again = await open(dir);
    await (await again.openWriter()).append({ records: [], state: [], asOf: { seqno: 1, time: 1 } });
    expect(follower.all()).to.have.length(batches);
    await again.close();
  });
});
