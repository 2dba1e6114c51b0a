import type { Endpoint } from './endpoint.ts';
import { campaigns } from './routes/campaigns.ts';
import { claimLinkEndpoint } from './routes/claim-link.ts';
import { contributionLinkEndpoint } from './routes/contribution-link.ts';
import { dao } from './routes/dao.ts';
import { holders } from './routes/holders.ts';
import { lpMasters } from './routes/lp-masters.ts';
import { participant } from './routes/participant.ts';
import { proposals } from './routes/proposals.ts';
import { vestingClaimLinkEndpoint } from './routes/vesting-claim-link.ts';
import { votes } from './routes/votes.ts';

/** Every endpoint of the API, in the order of the specification. */
export const endpoints: readonly Endpoint[] = [
  dao,
  holders,
  proposals,
  votes,
  campaigns,
  lpMasters,
  participant,
  contributionLinkEndpoint,
  claimLinkEndpoint,
  vestingClaimLinkEndpoint,
];
