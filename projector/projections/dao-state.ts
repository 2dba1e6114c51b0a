import type { Projection } from '../projection.ts';

/**
 * How far a DAO's documents can be trusted: `backfilling` until all its accounts are read,
 * `degraded` while a record of one of them is parked or its chain cannot be followed.
 */
export const daoState: Projection = {
  name: 'dao_state',
  version: 1,
  shared: true,
  internal: true,
  render: (dao, parts) => {
    const status = parts.get(dao)?.['status'];
    if (status === undefined) return null;
    const parked = [...parts.values()].some((part) => part['parked'] !== undefined);
    return { body: { state: stateOf(status, parked) }, entries: [] };
  },
};

function stateOf(status: unknown, parked: boolean): string {
  if (status === 'untracked') return 'untracked';
  if (status === 'tracked') return 'backfilling';
  return parked || status === 'stalled' ? 'degraded' : 'live';
}
