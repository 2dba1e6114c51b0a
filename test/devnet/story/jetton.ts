import { type Address, type Cell, toNano } from '@ton/core';
import { mint } from '../../../shared/contracts/governance/mint.ts';
import { noForwardPayload } from '../../../shared/contracts/jetton/forward-payload.ts';
import { jettonTransfer } from '../../../shared/contracts/jetton/transfer.ts';
import { bodyOf } from '../../../shared/contracts/message-schema.ts';
import type { Actor } from './actor.ts';
import { jettonMinterDeployment, jettonWalletAddress } from './crowdfunding-deployments.ts';
import type { World } from './world.ts';

const MINT_VALUE = toNano('0.05');

/** A TEP-74 jetton as its users know it: the currency of a campaign, or LP jettons. */
export class Jetton {
  readonly world: World;
  readonly minter: Address;
  #queryId = 0n;

  constructor(world: World, minter: Address) {
    this.world = world;
    this.minter = minter;
  }

  static async deploy(world: World, admin: Actor, content: Cell): Promise<Jetton> {
    const { address, init } = jettonMinterDeployment(admin.address, content);
    world.send(admin, { to: address, value: toNano('0.5'), init });
    await world.settle();
    return new Jetton(world, address);
  }

  walletOf(owner: Address): Address {
    return jettonWalletAddress(owner, this.minter);
  }

  /** 0 where there is no wallet yet. */
  async balanceOf(owner: Address): Promise<bigint> {
    const wallet = this.walletOf(owner);
    if (!this.world.chain.isDeployed(wallet)) {
      return 0n;
    }
    return (await this.world.get(wallet, 'get_wallet_data')).readBigNumber();
  }

  async supply(): Promise<bigint> {
    return (await this.world.get(this.minter, 'get_jetton_data')).readBigNumber();
  }

  mint(admin: Actor, to: Address[], amount: bigint): void {
    const letters = to.map((owner) => ({
      to: this.minter,
      value: MINT_VALUE,
      body: bodyOf(mint, { queryId: this.#query(), to: owner, amount, forwardTonAmount: 0n }),
    }));
    this.world.send(admin, ...letters);
  }

  /** A transfer that forwards `forwardTonAmount`, and for that much more than it. */
  transfer(
    from: Actor,
    to: Address,
    amount: bigint,
    { forwardTonAmount = 0n, gas = toNano('0.05') } = {},
  ): void {
    const body = bodyOf(jettonTransfer, {
      queryId: this.#query(),
      amount,
      destination: to,
      responseDestination: from.address,
      customPayload: null,
      forwardTonAmount,
      forwardPayload: noForwardPayload,
    });
    this.world.send(from, { to: this.walletOf(from.address), value: forwardTonAmount + gas, body });
  }

  #query(): bigint {
    return ++this.#queryId;
  }
}
