import type { Projection } from '../projection.ts';
import { dao } from './dao.ts';
import { daoState } from './dao-state.ts';
import { holders } from './holders.ts';
import { proposals } from './proposals.ts';
import { votes } from './votes.ts';

/** Every read model. */
export const projections: Projection[] = [dao, holders, proposals, votes, daoState];

const byName = new Map<string, Projection>(projections.map((projection) => [projection.name, projection]));

export function projectionOf(name: string): Projection {
  const projection = byName.get(name);
  if (!projection) throw new TypeError(`no read model is called ${name}`);
  return projection;
}
