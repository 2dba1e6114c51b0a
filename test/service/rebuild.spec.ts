import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { readStatus } from '../../projector/status.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { contributions } from '../bench/contributions.ts';
import { Rebuilding } from '../projector/rebuilding.ts';
import { indexStory } from './harness.ts';
import { runProgram } from './process.ts';

describe('rebuild, the chain out of reach', function () {
  this.timeout(10 * 60_000);

  it('of the story gives what projecting it gave, whatever the partitions', async () => {
    const { records, digest } = await indexedStory();
    for (const partitions of [1, 3]) {
      const on = await Rebuilding.open(partitions, records);
      try {
        const { generation } = await on.rebuild({ batchBytes: 1, shardRecords: 50 });
        expect(await on.digest(generation.id)).to.equal(digest);
      } finally {
        await on.close();
      }
    }
  });

  it('goes on after kill -9 at random moments, as if nothing had been', async () => {
    const on = await Rebuilding.open(2, [...contributions(20_000)]);
    try {
      const digest = await on.project((await on.stores.store.create('elder', 2)).id);
      const settings = { DATA_DIR: on.config.DATA_DIR, LOG_PARTITIONS: '2' };
      let code: number | null = null;
      for (let attempt = 0; code === null; attempt++) {
        const program = runProgram('cli.ts', ['rebuild', '--until-caught-up', '--json'], settings);
        // Later ones live longer, so that the last one comes to its end on any machine.
        await Promise.race([pause(Math.random() * 2000 + 500 + 200 * attempt), program.ended]);
        code = await program.end('SIGKILL');
        if (code !== null) expect(JSON.parse(program.output())).to.include({ digest });
      }
      expect(code).to.equal(0);
      const [elder, own, ...more] = await on.stores.store.generations();
      expect(elder).to.include({ live: true });
      expect(own).to.include({ live: false, building: false });
      expect(more).to.deep.equal([]);
      expect(await on.digest(own?.id ?? '')).to.equal(digest);
    } finally {
      await on.close();
    }
  });

  it('stops at a signal, says how to go on, and can be given up', async () => {
    const on = await Rebuilding.open(1, [...contributions(20_000)]);
    try {
      const settings = { DATA_DIR: on.config.DATA_DIR, LOG_PARTITIONS: '1' };
      const rebuilding = runProgram('cli.ts', ['rebuild'], settings);
      while ((await on.stores.store.generations()).length === 0) await pause(20);
      expect(await rebuilding.end('SIGINT')).to.equal(1);
      expect(await on.stores.store.generations()).to.have.length(1);
      const cancelling = runProgram('cli.ts', ['rebuild', '--cancel'], settings);
      expect(await cancelling.ended).to.equal(0);
      expect(await on.stores.store.generations()).to.deep.equal([]);
    } finally {
      await on.close();
    }
  });
});

/** The records of the story in the order of the log, and the digest of their projection. */
async function indexedStory(): Promise<{ records: LogRecord[]; digest: string }> {
  const story = await indexStory();
  try {
    await story.caughtUp();
    const { log, store } = story.stores;
    const records: LogRecord[] = [];
    for (const { partition, end } of await log.ends())
      for await (const batch of log.scan(partition, 0, end))
        for (const { record } of batch.records) records.push(record);
    const [generation] = (await readStatus(log, store)).generations;
    return { records, digest: generation?.digest ?? '' };
  } finally {
    await story.close();
  }
}
