import type { PluginType } from '../governance/plugin-info.ts';

/** What a transaction of a DAO means, whatever its version. */
export type DaoEvent =
  | DaoDeployed
  | { type: 'proposal_created'; initiator: string; proposal: string }
  | { type: 'proposal_executed'; proposal_id: string; action: string }
  | { type: 'success_percentage_set'; basis_points: number }
  | { type: 'plugin_added'; plugin: DaoPlugin }
  | { type: 'plugin_removed'; address: string }
  | { type: 'code_upgraded'; code_hash: string };

export interface DaoDeployed {
  type: 'dao_deployed';
  owner: string;
  jetton_minter: string;
  basis_points: number;
  name: string;
  plugins: DaoPlugin[];
}

/** A plugin as its DAO keeps it. */
export interface DaoPlugin {
  address: string;
  plugin_type: PluginType;
  index: number | null;
  name: string | null;
  crowdfunding_master_hash: string | null;
}
