import { type ContractVersion, on, onBounced } from '../contract-version.ts';
import { jettonBurnNotification } from './burn-notification.ts';
import { loadJettonContent } from './content.ts';
import { jettonInternalTransfer } from './internal-transfer.ts';
import type { MinterEvent } from './minter-event.ts';
import { loadMinterStorage } from './minter-storage.ts';
import { provideWalletAddress } from './provide-wallet-address.ts';

/**
 * Any TEP-74 minter, whatever its code: the standard does not say how minting is asked for, so the
 * supply grows by the internal transfers that the minter sends.
 */
export const tep74Minter: Omit<ContractVersion<MinterEvent>, 'kind'> = {
  version: 'tep-74',
  deployed: (data) => {
    const storage = loadMinterStorage(data);
    return {
      type: 'minter_deployed',
      total_supply: storage.totalSupply.toString(),
      admin: storage.admin?.toRawString() ?? null,
      metadata: loadJettonContent(storage.content).metadata,
      wallet_code_hash: storage.walletCode.hash().toString('hex'),
    };
  },
  receives: [
    on(jettonBurnNotification, ({ amount, sender }) => ({
      type: 'supply_burned',
      owner: sender.toRawString(),
      amount: amount.toString(),
    })),
    on(provideWalletAddress),
  ],
  bounces: [
    onBounced(jettonInternalTransfer, (slice) => ({
      type: 'mint_bounced',
      amount: slice.skip(64).loadCoins().toString(),
    })),
  ],
  sends: [
    on(jettonInternalTransfer, ({ amount }, { destination }) => ({
      type: 'minted',
      to: destination ?? '',
      amount: amount.toString(),
    })),
  ],
};
