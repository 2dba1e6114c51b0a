import type { Address, Cell } from '@ton/core';
import { type ContractVersion, on } from '../contract-version.ts';
import { createProposal } from '../governance/create-proposal.ts';
import { executeProposal } from '../governance/execute-proposal.ts';
import { initProposal } from '../governance/init-proposal.ts';
import { type PluginInfo, pluginTypeName } from '../governance/plugin-info.ts';
import { excesses } from '../jetton/excesses.ts';
import { jettonTransferNotification } from '../jetton/transfer-notification.ts';
import { addPlugin } from '../proposal-payload/add-plugin.ts';
import { describeProposal } from '../proposal-payload/proposal-payload.ts';
import { removePlugin } from '../proposal-payload/remove-plugin.ts';
import { setSuccessPercentage } from '../proposal-payload/set-success-percentage.ts';
import { upgradeContract } from '../proposal-payload/upgrade-contract.ts';
import type { DaoEvent, DaoPlugin } from './event.ts';
import { loadDaoStorage } from './storage.ts';

/** DAO 6.0: governance without crowdfunding. */
export const dao60: ContractVersion<DaoEvent> = {
  kind: 'dao',
  version: '6.0',
  deployed: (data) => {
    const storage = loadDaoStorage(data);
    return {
      type: 'dao_deployed',
      owner: storage.owner.toRawString(),
      jetton_minter: storage.jettonMinter.toRawString(),
      basis_points: storage.successPercentage,
      name: storage.name,
      plugins: [...storage.plugins].map(([address, info]) => pluginOf(address, info)),
    };
  },
  receives: [
    on(createProposal),
    on(executeProposal, ({ proposalId, payload }, { destination }) =>
      executed(proposalId.toString(), payload, destination),
    ),
    on(jettonTransferNotification),
    on(excesses),
  ],
  sends: [
    on(initProposal, ({ initiator }, { destination }) => ({
      type: 'proposal_created',
      initiator: initiator.toRawString(),
      proposal: destination ?? '',
    })),
  ],
};

/** What the DAO itself becomes by an accepted proposal; effects elsewhere are told by the contracts concerned. */
function executed(proposalId: string, payload: Cell, dao: string | null): DaoEvent {
  const slice = payload.beginParse();
  switch (slice.loadUint(32)) {
    case setSuccessPercentage.opcode: {
      const { successPercentage } = setSuccessPercentage.load(slice);
      return { type: 'success_percentage_set', basis_points: successPercentage };
    }
    case addPlugin.opcode: {
      const { plugin, info } = addPlugin.load(slice);
      return { type: 'plugin_added', plugin: pluginOf(plugin, info) };
    }
    case removePlugin.opcode:
      return { type: 'plugin_removed', address: removePlugin.load(slice).plugin.toRawString() };
    case upgradeContract.opcode: {
      const { target, code } = upgradeContract.load(slice);
      if (target.toRawString() === dao)
        return { type: 'code_upgraded', code_hash: code.hash().toString('hex') };
    }
  }
  return { type: 'proposal_executed', proposal_id: proposalId, action: describeProposal(payload).type };
}

function pluginOf(address: Address, info: PluginInfo): DaoPlugin {
  return {
    address: address.toRawString(),
    plugin_type: pluginTypeName(info.type),
    index: info.index,
    name: info.name,
    crowdfunding_master_hash: info.crowdfundingMasterHash?.toString(16).padStart(64, '0') ?? null,
  };
}
