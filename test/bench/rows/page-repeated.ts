import { always, rawSide, requestRates, startApi } from '../request-rate.ts';
import { caller, fetchAnswer, holdersPath } from '../requests.ts';
import type { Row } from '../row.ts';
import { storedDao } from '../stored-dao.ts';

export const pageRepeated: Row = {
  name: 'page-repeated',
  ours: 'endpoint 2, 100 items, the same page',
  reference: 'raw node:http, same bytes',
  unit: 'requests per CPU second',
  goal: { atLeast: 0.5 },
  async measure(size) {
    const { dir } = await storedDao(size);
    const server = await startApi(dir);
    const headers = caller();
    const ours = always(server, holdersPath(0), headers);
    const reference = await rawSide(await fetchAnswer(server.port, holdersPath(0), headers), ours);
    return requestRates(size, ours, reference);
  },
};
