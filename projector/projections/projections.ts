import type { Projection } from '../projection.ts';
import { campaignTerms } from './campaign-terms.ts';
import { campaigns } from './campaigns.ts';
import { dao } from './dao.ts';
import { daoState } from './dao-state.ts';
import { contributors, helpers } from './helpers.ts';
import { holders } from './holders.ts';
import { lpHolders, lpMasters } from './lp-masters.ts';
import { participants } from './participants.ts';
import { proposals } from './proposals.ts';
import { vaults } from './vaults.ts';
import { votes } from './votes.ts';
import { whitelist } from './whitelist.ts';

/** Every read model. */
export const projections: Projection[] = [
  dao,
  holders,
  proposals,
  votes,
  campaigns,
  contributors,
  whitelist,
  helpers,
  participants,
  lpMasters,
  lpHolders,
  campaignTerms,
  vaults,
  daoState,
];

const byName = new Map(projections.map((projection) => [projection.name, projection]));

export function projectionOf(name: string): Projection {
  const projection = byName.get(name);
  if (!projection) throw new TypeError(`no read model is called ${name}`);
  return projection;
}
