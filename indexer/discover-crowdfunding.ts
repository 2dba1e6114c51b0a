import { Cell } from '@ton/core';
import type { ChainTransaction } from '../shared/chain/transaction.ts';
import type { ContractKind } from '../shared/contracts/contract-kind.ts';
import { addContribution } from '../shared/contracts/crowdfunding/add-contribution.ts';
import { initCampaign } from '../shared/contracts/crowdfunding/init-campaign.ts';
import { initLpManager } from '../shared/contracts/crowdfunding/init-lp-manager.ts';
import { initVault } from '../shared/contracts/crowdfunding/init-vault.ts';
import type { MessageHeader } from '../shared/event-log/record.ts';
import type { CampaignTerms, Candidate } from './candidate.ts';

/**
 * The campaigns and the LP minter that a plugin deploys. They are told by their messages whatever the
 * plugin's kind, which is the first type that the DAO ever kept for it: a plugin that was added with
 * a wrong type, and again with the right one, loses nothing.
 */
export function deployedByPlugin(kind: ContractKind, transaction: ChainTransaction): Candidate[] {
  const { account, in: message, out } = transaction;
  const isManager = kind === 'lp_manager' || (message?.opcode === initLpManager.opcode && !message.bounced);
  return out.flatMap((sent): Candidate[] => {
    const { opcode, destination, init } = sent;
    if (destination === null || !init) return [];
    const child = { account: destination, parent: account, init };
    if (opcode === initCampaign.opcode) return [{ ...child, kind: 'campaign', terms: termsOf(sent) }];
    return isManager ? [{ ...child, kind: 'lp_minter' }] : [];
  });
}

const childrenOfCampaign = new Map<number | null, ContractKind>([
  [addContribution.opcode, 'helper'],
  [initVault.opcode, 'vesting_vault'],
]);

/** The helpers and vesting vaults that a campaign deploys. */
export function deployedByCampaign({ account, out }: ChainTransaction): Candidate[] {
  return out.flatMap(({ opcode, destination, init }) => {
    const kind = childrenOfCampaign.get(opcode);
    return kind && destination !== null && init
      ? [{ account: destination, kind, parent: account, init }]
      : [];
  });
}

function termsOf({ body }: MessageHeader): CampaignTerms | null {
  try {
    const { dao, params } = initCampaign.load(Cell.fromBase64(body).beginParse().skip(32));
    return {
      dao: dao.toRawString(),
      name: params.name,
      lpMinter: params.lpMinter.toRawString(),
      currency: params.currency?.toRawString() ?? null,
    };
  } catch {
    return null;
  }
}
