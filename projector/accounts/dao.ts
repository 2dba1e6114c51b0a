import type { DaoDeployed, DaoEvent, DaoPlugin } from '../../shared/contracts/dao/event.ts';
import { contractOf } from '../../shared/contracts/registry.ts';
import type { AccountFold, Folded, Json } from '../account-fold.ts';

export type DaoState = {
  code_hash: string | null;
  owner: string;
  name: string;
  jetton_minter: string;
  basis_points: number;
  /** Unix seconds. */
  created_at: number;
  plugins: Plugin[];
};

/** `DaoPlugin` as plain JSON. */
type Plugin = { [K in keyof DaoPlugin]: DaoPlugin[K] & Json };

/** A DAO: its configuration, from its deployment and the proposals that it executed. */
export const daoFold: AccountFold<DaoState, DaoEvent> = {
  kind: 'dao',
  version: 1,
  start: ({ codeHash }) => ({
    state: {
      code_hash: codeHash,
      owner: '',
      name: '',
      jetton_minter: '',
      basis_points: 0,
      created_at: 0,
      plugins: [],
    },
    parts: [],
  }),
  apply: (state, event, { dao, now }) => said(dao, changedBy(state, event, now)),
  learn: (state, fact) => ({
    state: fact.type === 'code_changed' ? { ...state, code_hash: fact.codeHash } : state,
    parts: [],
  }),
};

function changedBy(state: DaoState, event: DaoEvent, now: number): DaoState {
  switch (event.type) {
    case 'dao_deployed':
      return { ...state, ...deployedState(event), created_at: now };
    case 'success_percentage_set':
      return { ...state, basis_points: event.basis_points };
    case 'plugin_added':
      return { ...state, plugins: [...without(state, event.plugin.address), { ...event.plugin }] };
    case 'plugin_removed':
      return { ...state, plugins: without(state, event.address) };
    case 'code_upgraded':
      return { ...state, code_hash: event.code_hash };
    case 'proposal_created':
    case 'proposal_executed':
      return state;
  }
}

function deployedState({ owner, name, jetton_minter, basis_points, plugins }: DaoDeployed) {
  return { owner, name, jetton_minter, basis_points, plugins: plugins.map((plugin) => ({ ...plugin })) };
}

function without(state: DaoState, address: string): Plugin[] {
  return state.plugins.filter((plugin) => plugin.address !== address);
}

function said(dao: string, state: DaoState): Folded<DaoState> {
  const { code_hash, ...shown } = state;
  const version = (code_hash && contractOf(code_hash)?.version) ?? null;
  return { state, parts: [{ projection: 'dao', key: dao, part: { ...shown, version } }] };
}
