import { rawSide, requestRates, type Side, startApi } from '../request-rate.ts';
import { caller, fetchAnswer, holdersPath, requestText } from '../requests.ts';
import type { Row } from '../row.ts';
import { storedDao } from '../stored-dao.ts';

/** Shares no factor with the number of pages: no page comes twice. */
const STEP = 617;

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
    const request = (index: number) =>
      requestText(holdersPath(((index + 1) * STEP) % (holders - 100)), headers);
    const ours: Side = { ...server, request, status: 200 };
    const answer = await fetchAnswer(server.port, holdersPath(0), headers);
    const reference = await rawSide(answer, ours);
    const note = `${holders} holders, ${answer.body.length} bytes a page`;
    return { ...(await requestRates(size, ours, reference)), note };
  },
};
