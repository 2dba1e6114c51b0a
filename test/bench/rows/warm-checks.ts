import { DAO } from '../../api/story.ts';
import { always, requestRates, startApi } from '../request-rate.ts';
import { caller, daoPath } from '../requests.ts';
import type { Row } from '../row.ts';
import { storedDao } from '../stored-dao.ts';

export const warmChecks: Row = {
  name: 'warm-checks',
  ours: 'endpoint 1, token known, revocation looked up',
  reference: 'the same without token and revocation',
  unit: 'requests per CPU second',
  goal: { atLeast: 0.92 },
  async measure(size) {
    const { dir } = await storedDao(size);
    const [checked, unchecked] = [await startApi(dir), await startApi(dir, { unchecked: DAO })];
    const headers = caller();
    return requestRates(size, always(checked, daoPath, headers), always(unchecked, daoPath, headers));
  },
};
