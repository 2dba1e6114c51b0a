import { load } from '../load.ts';
import { anotherPage, startApi } from '../request-rate.ts';
import { caller } from '../requests.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';
import { storedDao } from '../stored-dao.ts';

const ROUNDS = 7;
const REQUESTS: Record<Size, number> = { small: 3000, full: 10_000 };

export const twoProcesses: Row = {
  name: 'two-processes',
  ours: 'endpoint 2, 100 items, every page asked for once, two API processes',
  reference: 'one',
  unit: 'requests a second by the clock',
  goal: { atLeast: 1.6 },
  async measure(size) {
    const { dir, holders } = await storedDao(size);
    const servers = [await startApi(dir), await startApi(dir)];
    const headers = caller();
    const sides = servers.map((server) => anotherPage(server, holders, headers));
    const count = REQUESTS[size];
    let asked = 0;
    const rate = (used: typeof sides) => async () => {
      const from = asked;
      asked += count;
      const start = performance.now();
      await Promise.all(
        used.map(({ port, request, status }, place) => {
          const share = count / used.length;
          return load(port, share, (index) => request(from + place * share + index), status);
        }),
      );
      return (count * 1000) / (performance.now() - start);
    };
    try {
      await rate(sides)();
      const rates = await mediansOfRounds(ROUNDS, rate(sides), rate(sides.slice(0, 1)));
      return { ...rates, note: 'the client has a share of the same cores' };
    } finally {
      await Promise.all(servers.map(({ child }) => child.stop()));
    }
  },
};
