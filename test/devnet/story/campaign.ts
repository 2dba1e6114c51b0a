import { type Address, beginCell, type TupleItem, toNano } from '@ton/core';
import { changeWhitelist } from '../../../shared/contracts/crowdfunding/change-whitelist.ts';
import { claimDaoFee } from '../../../shared/contracts/crowdfunding/claim-dao-fee.ts';
import { claimVested } from '../../../shared/contracts/crowdfunding/claim-vested.ts';
import { contribute } from '../../../shared/contracts/crowdfunding/contribute.ts';
import { emergencyWithdraw } from '../../../shared/contracts/crowdfunding/emergency-withdraw.ts';
import { finalise } from '../../../shared/contracts/crowdfunding/finalise.ts';
import { releaseVault } from '../../../shared/contracts/crowdfunding/release-vault.ts';
import { requestClaimLpTokens } from '../../../shared/contracts/crowdfunding/request-claim-lp-tokens.ts';
import { requestRefund } from '../../../shared/contracts/crowdfunding/request-refund.ts';
import { setPaused } from '../../../shared/contracts/crowdfunding/set-paused.ts';
import { bodyOf, type MessageSchema } from '../../../shared/contracts/message-schema.ts';
import type { Actor } from './actor.ts';
import {
  type CampaignState,
  type HelperState,
  readCampaign,
  readHelper,
  readVault,
  type VaultState,
} from './campaign-state.ts';
import { helperAddress, vaultAddress } from './crowdfunding-deployments.ts';
import { Jetton } from './jetton.ts';
import type { World } from './world.ts';

/** What links attach; measured, with the margin, in the contracts' `campaign-money.tolk`. */
export const reserves = {
  contribute: toNano('0.06'),
  jettonForward: toNano('0.1'),
  jettonTransfer: toNano('0.05'),
  claim: toNano('0.06'),
  claimIntoVault: toNano('0.12'),
  claimVested: toNano('0.05'),
  refund: toNano('0.05'),
} as const;

// Of what the operator or anyone else sends; the rest comes back.
const VALUE = toNano('0.2');
// So many dictionary changes fit into the gas of one message, also where the list is long.
const WHITELIST_BATCH = 100;

/** A campaign as those who take part in it use it: every method sends with the next block. */
export class Campaign {
  readonly world: World;
  readonly address: Address;
  readonly currency: Jetton | null;
  readonly operator: Actor;
  #queryId = 0n;

  constructor(world: World, address: Address, operator: Actor, currency: Jetton | null) {
    this.world = world;
    this.address = address;
    this.operator = operator;
    this.currency = currency;
  }

  /** A campaign as it stands on the chain now. */
  static async resume(world: World, address: Address, operator: Actor): Promise<Campaign> {
    const { params } = await new Campaign(world, address, operator, null).state();
    return new Campaign(world, address, operator, params.currency && new Jetton(world, params.currency));
  }

  helperOf(owner: Address): Address {
    return helperAddress(this.address, owner);
  }

  vaultOf(owner: Address): Address {
    return vaultAddress(this.address, owner);
  }

  contribute(from: Actor, amount: bigint): void {
    if (this.currency) {
      this.currency.transfer(from, this.address, amount, {
        forwardTonAmount: reserves.jettonForward,
        gas: reserves.jettonTransfer,
      });
    } else {
      this.#send(from, contribute, { amount }, amount + reserves.contribute);
    }
  }

  pause(paused = true): void {
    this.#send(this.operator, setPaused, { paused });
  }

  /** Adds (or removes) them in messages that are short enough. */
  async list(addresses: Address[], listed = true): Promise<void> {
    for (let from = 0; from < addresses.length; from += WHITELIST_BATCH) {
      const changes = addresses
        .slice(from, from + WHITELIST_BATCH)
        .map((address): [Address, boolean] => [address, listed]);
      this.#send(this.operator, changeWhitelist, { changes }, toNano('1'));
      await this.world.settle();
    }
  }

  finalise(from: Actor): void {
    this.#send(from, finalise, {});
  }

  withdrawAll(): void {
    this.#send(this.operator, emergencyWithdraw, {});
  }

  claimFee(from: Actor): void {
    this.#send(from, claimDaoFee, {});
  }

  claim(from: Actor, value: bigint = reserves.claimIntoVault): void {
    this.#send(from, requestClaimLpTokens, {}, value, this.helperOf(from.address));
  }

  refund(from: Actor, value: bigint = reserves.refund): void {
    this.#send(from, requestRefund, {}, value, this.helperOf(from.address));
  }

  claimVested(from: Actor, value: bigint = reserves.claimVested): void {
    this.#send(from, claimVested, {}, value, this.vaultOf(from.address));
  }

  release(owner: Address): void {
    this.#send(this.operator, releaseVault, { owner });
  }

  state(): Promise<CampaignState> {
    return readCampaign(this.world, this.address);
  }

  async isListed(address: Address): Promise<boolean> {
    return (await this.world.get(this.address, 'is_whitelisted', [addressItem(address)])).readBoolean();
  }

  /** The helper's own account; undefined where the wallet has never contributed. */
  share(owner: Address): Promise<HelperState | undefined> {
    return readHelper(this.world, this.helperOf(owner));
  }

  /** The vault's own account; undefined where there is none. */
  vault(owner: Address): Promise<VaultState | undefined> {
    return readVault(this.world, this.vaultOf(owner));
  }

  #send<T extends { queryId: bigint }>(
    from: Actor,
    schema: MessageSchema<T>,
    message: Omit<T, 'queryId'>,
    value = VALUE,
    to = this.address,
  ): void {
    const body = bodyOf(schema, { queryId: ++this.#queryId, ...message } as T);
    this.world.send(from, { to, value, body });
  }
}

function addressItem(address: Address): TupleItem {
  return { type: 'slice', cell: beginCell().storeAddress(address).endCell() };
}
