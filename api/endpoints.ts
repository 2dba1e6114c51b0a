import type { Endpoint } from './endpoint.ts';
import { dao } from './routes/dao.ts';
import { holders } from './routes/holders.ts';
import { proposals } from './routes/proposals.ts';
import { votes } from './routes/votes.ts';

/** Every endpoint of the API, in the order of the specification. */
export const endpoints: readonly Endpoint[] = [dao, holders, proposals, votes];
