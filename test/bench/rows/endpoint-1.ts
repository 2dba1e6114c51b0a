import { always, rawSide, requestRates, startApi } from '../request-rate.ts';
import { caller, daoPath, fetchAnswer } from '../requests.ts';
import type { Row } from '../row.ts';
import { storedDao } from '../stored-dao.ts';

export const endpoint1: Row = {
  name: 'endpoint-1',
  ours: 'endpoint 1, all checks',
  reference: 'raw node:http, same bytes',
  unit: 'requests per CPU second',
  goal: { atLeast: 0.55 },
  async measure(size) {
    const { dir } = await storedDao(size);
    const server = await startApi(dir);
    const headers = caller();
    const ours = always(server, daoPath, headers);
    const reference = await rawSide(await fetchAnswer(server.port, daoPath, headers), ours);
    return requestRates(size, ours, reference);
  },
};
