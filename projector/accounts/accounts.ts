import type { ContractKind } from '../../shared/contracts/contract-kind.ts';
import type { AccountFold, JsonObject } from '../account-fold.ts';
import { campaignFold } from './campaign.ts';
import { daoFold } from './dao.ts';
import { gpMinterFold } from './gp-minter.ts';
import { helperFold } from './helper.ts';
import { gpWalletFold, lpWalletFold } from './jetton-wallet.ts';
import { lpMinterFold } from './lp-minter.ts';
import { proposalFold } from './proposal.ts';
import { vestingVaultFold } from './vesting-vault.ts';

/** The fold of every kind of account that has something to say in a document. */
export const accountFolds = [
  daoFold,
  gpMinterFold,
  gpWalletFold,
  proposalFold,
  campaignFold,
  helperFold,
  lpMinterFold,
  lpWalletFold,
  vestingVaultFold,
] as unknown as AccountFold<JsonObject>[];

const byKind = new Map(accountFolds.map((fold) => [fold.kind, fold]));

export function accountFoldOf(kind: ContractKind): AccountFold<JsonObject> | undefined {
  return byKind.get(kind);
}
