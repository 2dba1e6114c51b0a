import type { ContractVersion } from '../contract-version.ts';
import { tep74Wallet } from '../jetton/tep-74-wallet.ts';
import type { WalletEvent } from '../jetton/wallet-event.ts';

/** LP wallet 6.1: the standard's messages and no others. */
export const lpWallet61: ContractVersion<WalletEvent> = {
  ...tep74Wallet,
  kind: 'lp_wallet',
  version: '6.1',
};
