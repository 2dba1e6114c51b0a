import { type ContractVersion, on } from '../contract-version.ts';
import { withdraw } from '../crowdfunding/withdraw.ts';
import { excesses } from '../jetton/excesses.ts';
import { jettonTransferNotification } from '../jetton/transfer-notification.ts';

/** Subaccount 6.1: a purse of the DAO's. */
export const subaccount61: ContractVersion = {
  kind: 'subaccount',
  version: '6.1',
  receives: [on(withdraw), on(jettonTransferNotification), on(excesses)],
};
