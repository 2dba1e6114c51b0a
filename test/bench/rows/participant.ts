import { always, requestRates, startApi } from '../request-rate.ts';
import { caller, daoPath } from '../requests.ts';
import type { Row } from '../row.ts';
import { INVESTOR, storedDao } from '../stored-dao.ts';

export const participant: Row = {
  name: 'participant',
  ours: 'endpoint 7, a wallet in 50 campaigns',
  reference: 'endpoint 1',
  unit: 'requests per CPU second',
  goal: { atLeast: 0.8 },
  async measure(size) {
    const { dir } = await storedDao(size);
    const server = await startApi(dir);
    const headers = caller();
    const ours = always(server, `${daoPath}/participants/${INVESTOR}`, headers);
    return requestRates(size, ours, always(server, daoPath, headers));
  },
};
