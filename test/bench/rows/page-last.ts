import { openEmbeddedReadStore } from '../../../shared/read-store/embedded.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row } from '../row.ts';
import { HOLDER_LIST, storedDao } from '../stored-dao.ts';

const ROUNDS = 21;
const READS = 2000;

export const pageLast: Row = {
  name: 'page-last',
  ours: 'the last 100 holders, read from LMDB',
  reference: 'the first 100',
  unit: 'CPU microseconds a read',
  goal: { atMost: 1.5 },
  async measure(size) {
    const { dir, holders } = await storedDao(size);
    const store = await openEmbeddedReadStore(dir);
    const cost = (offset: number) => async () => {
      const before = process.cpuUsage();
      for (let i = 0; i < READS; i++) await store.view((view) => view.joined(HOLDER_LIST, offset, 100));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / READS;
    };
    await cost(holders / 2)();
    try {
      return await mediansOfRounds(ROUNDS, cost(holders - 100), cost(0));
    } finally {
      await store.close();
    }
  },
};
