import { type ContractVersion, on, onBounced } from '../contract-version.ts';
import { claimVested } from '../crowdfunding/claim-vested.ts';
import { emergencyRelease } from '../crowdfunding/emergency-release.ts';
import { initVault } from '../crowdfunding/init-vault.ts';
import { loadShareStorage } from '../crowdfunding/storages.ts';
import { excesses } from '../jetton/excesses.ts';
import { takeWalletAddress } from '../jetton/take-wallet-address.ts';
import { jettonTransfer } from '../jetton/transfer.ts';
import { jettonTransferNotification } from '../jetton/transfer-notification.ts';
import type { VaultEvent } from './event.ts';

/** Vesting vault 6.1. What a claim released, the transfer that it sends tells. */
export const vestingVault61: ContractVersion<VaultEvent> = {
  kind: 'vesting_vault',
  version: '6.1',
  deployed: (data) => {
    const { campaign, owner } = loadShareStorage(data);
    return { type: 'vault_deployed', campaign: campaign.toRawString(), owner: owner.toRawString() };
  },
  receives: [
    on(initVault, ({ total, schedule: { start, cliff, duration, tgeBps } }) => ({
      type: 'vault_opened',
      total: total.toString(),
      schedule: { start, cliff, duration, tge_bps: tgeBps },
    })),
    on(takeWalletAddress, () => ({ type: 'vault_initialised' })),
    on(claimVested),
    on(emergencyRelease, () => ({ type: 'vault_released' })),
    on(jettonTransferNotification),
    on(excesses),
  ],
  bounces: [
    onBounced(jettonTransfer, (slice) => ({
      type: 'vested_claim_bounced',
      amount: slice.skip(64).loadCoins().toString(),
    })),
  ],
  sends: [on(jettonTransfer, ({ amount }) => ({ type: 'vested_claimed', amount: amount.toString() }))],
};
