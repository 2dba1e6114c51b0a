import { ownStore } from '../mongo.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row } from '../row.ts';
import { HOLDER_LIST } from '../stored-dao.ts';
import { storedMongo } from '../stored-mongo.ts';

const ROUNDS = 11;
const READS = 100;

export const mongoPageLast: Row = {
  name: 'mongo-page-last',
  ours: 'the last 100 holders, read from MongoDB',
  reference: 'the first 100',
  unit: 'microseconds a read by the clock',
  goal: { atMost: 1.5 },
  async measure(size) {
    const { settings, holders } = await storedMongo(size);
    const store = await ownStore(settings);
    const cost = (offset: number) => async () => {
      const start = performance.now();
      for (let i = 0; i < READS; i++) await store.view((view) => view.joined(HOLDER_LIST, offset, 100));
      return ((performance.now() - start) * 1000) / READS;
    };
    await cost(holders / 2)();
    const costs = await mediansOfRounds(ROUNDS, cost(holders - 100), cost(0));
    return { ...costs, note: `of ${holders.toLocaleString('en')}` };
  },
};
