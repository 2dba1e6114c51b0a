import { always, requestRates, startApi } from '../request-rate.ts';
import { caller, fetchAnswer, holdersPath } from '../requests.ts';
import type { Row } from '../row.ts';
import { storedDao } from '../stored-dao.ts';

export const notModified: Row = {
  name: 'not-modified',
  ours: '304 of the last page of endpoint 2',
  reference: 'its 200',
  unit: 'requests per CPU second',
  goal: { atLeast: 5 },
  async measure(size) {
    const { dir, holders } = await storedDao(size);
    const server = await startApi(dir);
    const headers = caller();
    const path = holdersPath(holders - 100);
    const { headers: answered } = await fetchAnswer(server.port, path, headers);
    const etag = answered[answered.indexOf('ETag') + 1] ?? '';
    const ours = always(server, path, { ...headers, 'if-none-match': etag }, 304);
    return requestRates(size, ours, always(server, path, headers));
  },
};
