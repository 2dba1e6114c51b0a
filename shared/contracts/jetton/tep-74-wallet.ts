import { type ContractVersion, on, onBounced } from '../contract-version.ts';
import { jettonBurn } from './burn.ts';
import { jettonBurnNotification } from './burn-notification.ts';
import { jettonInternalTransfer } from './internal-transfer.ts';
import { jettonTransfer } from './transfer.ts';
import type { WalletEvent } from './wallet-event.ts';

/** Any TEP-74 wallet, whatever its code: what the standard's messages do to its balance. */
export const tep74Wallet: Omit<ContractVersion<WalletEvent>, 'kind'> = {
  version: 'tep-74',
  receives: [
    on(jettonTransfer, ({ amount, destination }) => ({
      type: 'jettons_sent',
      amount: amount.toString(),
      to: destination.toRawString(),
    })),
    on(jettonInternalTransfer, ({ amount, from }) => ({
      type: 'jettons_received',
      amount: amount.toString(),
      from: from?.toRawString() ?? null,
    })),
    on(jettonBurn, ({ amount }) => ({ type: 'jettons_burned', amount: amount.toString() })),
  ],
  bounces: [
    onBounced(jettonInternalTransfer, (slice) => ({
      type: 'send_bounced',
      amount: slice.skip(64).loadCoins().toString(),
    })),
    onBounced(jettonBurnNotification, (slice) => ({
      type: 'burn_bounced',
      amount: slice.skip(64).loadCoins().toString(),
    })),
  ],
};
