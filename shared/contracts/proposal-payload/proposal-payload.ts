import type { Cell } from '@ton/core';
import { type PluginInfo, pluginTypeName } from '../governance/plugin-info.ts';
import type { MessageSchema } from '../message-schema.ts';
import { addPlugin } from './add-plugin.ts';
import { burnGp } from './burn-gp.ts';
import { customPayload } from './custom.ts';
import { mintGp } from './mint-gp.ts';
import { removePlugin } from './remove-plugin.ts';
import { setSuccessPercentage } from './set-success-percentage.ts';
import { startCrowdfunding } from './start-crowdfunding.ts';
import { textPayload } from './text.ts';
import { transferJetton } from './transfer-jetton.ts';
import { transferTon } from './transfer-ton.ts';
import { upgradeContract } from './upgrade-contract.ts';

/** A proposal's action as the API shows it: its `type` and the fields of that type. */
export interface ProposalAction {
  type: string;
  data: Record<string, string | number>;
}

type Describe = (cell: Cell) => ProposalAction;

const base64 = (cell: Cell): string => cell.toBoc().toString('base64');

const actions = new Map<number, Describe>([
  action(transferTon, 'transfer_ton', ({ to, amount, comment }) => ({
    to: to.toRawString(),
    amount: amount.toString(),
    ...(comment !== null && { comment }),
  })),
  action(transferJetton, 'transfer_jetton', ({ jettonWallet, to, amount, forwardTonAmount }) => ({
    jetton_wallet: jettonWallet.toRawString(),
    to: to.toRawString(),
    amount: amount.toString(),
    forward_ton_amount: forwardTonAmount.toString(),
  })),
  action(mintGp, 'mint_gp', ({ to, amount }) => ({ to: to.toRawString(), amount: amount.toString() })),
  action(burnGp, 'burn_gp', ({ jettonWallet, amount }) => ({
    jetton_wallet: jettonWallet.toRawString(),
    amount: amount.toString(),
  })),
  action(setSuccessPercentage, 'set_success_percentage', ({ successPercentage }) => ({
    success_percentage: successPercentage / 100,
  })),
  action(addPlugin, 'add_plugin', ({ plugin, info }) => ({
    plugin: plugin.toRawString(),
    ...describePlugin(info),
  })),
  action(removePlugin, 'remove_plugin', ({ plugin }) => ({ plugin: plugin.toRawString() })),
  action(startCrowdfunding, 'start_crowdfunding', ({ plugin, params }) => ({
    plugin: plugin.toRawString(),
    params: base64(params),
  })),
  action(upgradeContract, 'upgrade', ({ target, code }) => ({
    target: target.toRawString(),
    code_hash: code.hash().toString('hex'),
    code: base64(code),
  })),
  action(textPayload, 'text', ({ text }) => ({ text })),
  action(customPayload, 'custom', ({ to, value, body }) => ({
    to: to.toRawString(),
    value: value.toString(),
    body: base64(body),
  })),
]);

/**
 * Reads what a proposal would do. A tag that is not known, fields that do not fit it, or bits left
 * over make it `unknown` with no data: what cannot be read whole is not shown in part.
 */
export function describeProposal(payload: Cell): ProposalAction {
  const slice = payload.beginParse();
  const describe = slice.remainingBits >= 32 ? actions.get(slice.preloadUint(32)) : undefined;
  try {
    return describe?.(payload) ?? { type: 'unknown', data: {} };
  } catch {
    return { type: 'unknown', data: {} };
  }
}

function action<T>(
  schema: MessageSchema<T>,
  type: string,
  show: (payload: T) => ProposalAction['data'],
): [number, Describe] {
  const describe: Describe = (cell) => {
    const slice = cell.beginParse().skip(32);
    const payload = schema.load(slice);
    slice.endParse();
    return { type, data: show(payload) };
  };
  return [schema.opcode, describe];
}

function describePlugin(info: PluginInfo): ProposalAction['data'] {
  const type = pluginTypeName(info.type);
  return {
    type,
    ...(type === 'lp_manager' && info.index !== null && { lp_manager_index: info.index }),
    ...(type === 'subaccount' && info.index !== null && { subaccount_index: info.index }),
    ...(info.name !== null && { name: info.name }),
    ...(info.crowdfundingMasterHash !== null && {
      crowdfunding_master_hash: info.crowdfundingMasterHash.toString(16).padStart(64, '0'),
    }),
  };
}
