import { type Address, beginCell, type Cell, toNano } from '@ton/core';
import { changeContent } from '../../../shared/contracts/governance/change-content.ts';
import { type PluginType, pluginTypeNumber } from '../../../shared/contracts/governance/plugin-info.ts';
import { onChainContent } from '../../../shared/contracts/jetton/content.ts';
import { bodyOf } from '../../../shared/contracts/message-schema.ts';
import { addPlugin } from '../../../shared/contracts/proposal-payload/add-plugin.ts';
import { burnGp } from '../../../shared/contracts/proposal-payload/burn-gp.ts';
import { customPayload } from '../../../shared/contracts/proposal-payload/custom.ts';
import { mintGp } from '../../../shared/contracts/proposal-payload/mint-gp.ts';
import { removePlugin } from '../../../shared/contracts/proposal-payload/remove-plugin.ts';
import { setSuccessPercentage } from '../../../shared/contracts/proposal-payload/set-success-percentage.ts';
import { startCrowdfunding } from '../../../shared/contracts/proposal-payload/start-crowdfunding.ts';
import { textPayload } from '../../../shared/contracts/proposal-payload/text.ts';
import { transferJetton } from '../../../shared/contracts/proposal-payload/transfer-jetton.ts';
import { transferTon } from '../../../shared/contracts/proposal-payload/transfer-ton.ts';
import { upgradeContract } from '../../../shared/contracts/proposal-payload/upgrade-contract.ts';
import { snakeText } from '../../../shared/contracts/snake-text.ts';

/** A payload with the name that the API gives its type. */
export interface Payload {
  type: string;
  cell: Cell;
}

export const text = (words: string): Payload => ({
  type: 'text',
  cell: bodyOf(textPayload, { text: words }),
});

export const sendTon = (to: Address, amount: bigint, comment: string | null = null): Payload => ({
  type: 'transfer_ton',
  cell: bodyOf(transferTon, { to, amount, comment }),
});

export const sendJetton = (jettonWallet: Address, to: Address, amount: bigint): Payload => ({
  type: 'transfer_jetton',
  cell: bodyOf(transferJetton, { jettonWallet, to, amount, forwardTonAmount: toNano('0.01') }),
});

export const mintTo = (to: Address, amount: bigint): Payload => ({
  type: 'mint_gp',
  cell: bodyOf(mintGp, { to, amount }),
});

export const burnFrom = (jettonWallet: Address, amount: bigint): Payload => ({
  type: 'burn_gp',
  cell: bodyOf(burnGp, { jettonWallet, amount }),
});

export const percentage = (basisPoints: number): Payload => ({
  type: 'set_success_percentage',
  cell: bodyOf(setSuccessPercentage, { successPercentage: basisPoints }),
});

export const install = (
  plugin: Address,
  type: PluginType | number,
  more: { index?: number; name?: string; crowdfundingMasterHash?: bigint } = {},
): Payload => ({
  type: 'add_plugin',
  cell: bodyOf(addPlugin, {
    plugin,
    info: {
      type: typeof type === 'number' ? type : pluginTypeNumber(type),
      index: more.index ?? null,
      name: more.name ?? null,
      crowdfundingMasterHash: more.crowdfundingMasterHash ?? null,
    },
  }),
});

export const uninstall = (plugin: Address): Payload => ({
  type: 'remove_plugin',
  cell: bodyOf(removePlugin, { plugin }),
});

/** Without parameters it is something that no plugin understands. */
export const crowdfund = (plugin: Address, params = beginCell().storeUint(1, 8).endCell()): Payload => ({
  type: 'start_crowdfunding',
  cell: bodyOf(startCrowdfunding, { plugin, params }),
});

export const upgradeTo = (target: Address, code: Cell): Payload => ({
  type: 'upgrade',
  cell: bodyOf(upgradeContract, { target, code }),
});

export const custom = (to: Address, value: bigint, body: Cell): Payload => ({
  type: 'custom',
  cell: bodyOf(customPayload, { to, value, body }),
});

/** New metadata of a GP, which the DAO as its admin can set by a custom message alone. */
export const newContent = (minter: Address, metadata: Parameters<typeof onChainContent>[0]): Payload =>
  custom(minter, toNano('0.05'), bodyOf(changeContent, { queryId: 0n, content: onChainContent(metadata) }));

/** A payload of a version that nobody here knows. */
export const unheardOf = (): Payload => ({
  type: 'unknown',
  cell: beginCell().storeUint(0x0badf00d, 32).storeRef(snakeText('from a later version')).endCell(),
});
