import type { ChainTransaction } from '../shared/chain/transaction.ts';
import type { ContractKind } from '../shared/contracts/contract-kind.ts';
import { jettonInternalTransfer } from '../shared/contracts/jetton/internal-transfer.ts';
import type { Candidate } from './candidate.ts';
import { deployedByCampaign, deployedByPlugin } from './discover-crowdfunding.ts';
import { foundByDao } from './discover-dao.ts';

/**
 * The accounts that a transaction of a tracked account of this kind brings under tracking. Only what
 * the account itself sent counts, and what it accepted from whom it obeys: never a stranger's message.
 */
export function discoverIn(kind: ContractKind, transaction: ChainTransaction): Candidate[] {
  if (!transaction.success) return [];
  switch (kind) {
    case 'dao':
      return foundByDao(transaction);
    case 'gp_minter':
    case 'gp_wallet':
      return wallets('gp_wallet', transaction);
    case 'lp_minter':
    case 'lp_wallet':
      return wallets('lp_wallet', transaction);
    case 'crowdfunding':
    case 'lp_manager':
    case 'subaccount':
    case 'plugin':
      return deployedByPlugin(kind, transaction);
    case 'campaign':
      return deployedByCampaign(transaction);
    case 'proposal':
    case 'helper':
    case 'vesting_vault':
      return [];
  }
}

function wallets(kind: ContractKind, { account, out }: ChainTransaction): Candidate[] {
  return out.flatMap(({ opcode, destination, init }) =>
    opcode === jettonInternalTransfer.opcode && destination !== null
      ? [{ account: destination, kind, parent: account, init }]
      : [],
  );
}
