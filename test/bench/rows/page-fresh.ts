import { anotherPage, rawSide, requestRates, startApi } from '../request-rate.ts';
import { caller, fetchAnswer, holdersPath } from '../requests.ts';
import type { Row } from '../row.ts';
import { storedDao } from '../stored-dao.ts';

export const pageFresh: Row = {
  name: 'page-fresh',
  ours: 'endpoint 2, 100 items, every page asked for once',
  reference: 'raw node:http, same bytes',
  unit: 'requests per CPU second',
  goal: { atLeast: 0.3 },
  async measure(size) {
    const { dir, holders } = await storedDao(size);
    const server = await startApi(dir);
    const headers = caller();
    const ours = anotherPage(server, holders, headers);
    const answer = await fetchAnswer(server.port, holdersPath(0), headers);
    const reference = await rawSide(answer, ours);
    const note = `${holders} holders, ${answer.body.length} bytes a page`;
    return { ...(await requestRates(size, ours, reference)), note };
  },
};
