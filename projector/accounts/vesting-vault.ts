import type { VestingSchedule } from '../../shared/contracts/campaign/event.ts';
import type { VaultEvent } from '../../shared/contracts/vesting-vault/event.ts';
import { type AccountFold, changed, type FoldContext, type Folded, type Json } from '../account-fold.ts';

export type VaultState = {
  campaign: string;
  owner: string;
  /** LP units. */
  total: string;
  claimed: string;
  schedule: { [K in keyof VestingSchedule]: VestingSchedule[K] & Json };
  initialised: boolean;
  released: boolean;
};

/** A vesting vault: what it locks, by which schedule, and what was claimed of it. */
export const vestingVaultFold: AccountFold<VaultState, VaultEvent> = {
  kind: 'vesting_vault',
  version: 1,
  start: () => ({
    state: {
      campaign: '',
      owner: '',
      total: '0',
      claimed: '0',
      schedule: { start: 0, cliff: 0, duration: 0, tge_bps: 0 },
      initialised: false,
      released: false,
    },
    parts: [],
  }),
  apply: (state, event, context) => said(changedBy(state, event), context),
};

function changedBy(state: VaultState, event: VaultEvent): VaultState {
  switch (event.type) {
    case 'vault_deployed':
      return { ...state, campaign: event.campaign, owner: event.owner };
    case 'vault_opened':
      return { ...state, total: event.total, schedule: { ...event.schedule } };
    case 'vault_initialised':
      return { ...state, initialised: true };
    case 'vested_claimed':
      return { ...state, claimed: changed(state.claimed, BigInt(event.amount)) };
    case 'vested_claim_bounced':
      return { ...state, claimed: changed(state.claimed, -BigInt(event.amount)) };
    case 'vault_released':
      return { ...state, released: true };
  }
}

function said(state: VaultState, { dao, account }: FoldContext): Folded<VaultState> {
  const part = { ...state, vault: account };
  return {
    state,
    parts: [
      { projection: 'vaults', key: `${state.campaign}/${state.owner}`, part },
      { projection: 'participants', key: `${dao}/${state.owner}`, part },
    ],
  };
}
