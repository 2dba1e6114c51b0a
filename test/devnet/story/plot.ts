import { toNano } from '@ton/core';
import type { Actor } from './actor.ts';
import type { Cast } from './cast.ts';
import { type Governance, type Proposal, readProposal, VALUE_OF_A_STALLED_PROPOSAL } from './governance.ts';
import type { Payload } from './payloads.ts';
import type { Random } from './random.ts';

export const HOUR = 3600;
export const DAY = 24 * HOUR;
/** For what shall be active whenever somebody looks: nine years. */
export const YEARS = 9 * 365 * DAY;
export const GP = 10n ** 9n;

/** A proposal that was put to the vote, and the type that its payload has. */
export interface Told extends Proposal {
  type: string;
}

/** Tells what happens in one DAO, a proposal or a day of trade at a time. */
export class Plot {
  readonly governance: Governance;
  readonly cast: Cast;
  readonly random: Random;
  readonly told: Told[] = [];

  constructor(governance: Governance, cast: Cast, random: Random) {
    this.governance = governance;
    this.cast = cast;
    this.random = random;
  }

  /** A proposal is made; nobody has voted yet. */
  async propose(
    name: string,
    payload: Payload,
    duration = 3 * DAY,
    {
      description = `${name}, as discussed.`,
      value = toNano('0.2'),
      from = this.random.pick(this.cast.heroes),
    } = {},
  ): Promise<Told> {
    const { governance } = this;
    const proposal = governance.propose(from, { name, description, duration, payload: payload.cell, value });
    await governance.world.settle();
    const told = { ...proposal, type: payload.type };
    this.told.push(told);
    return told;
  }

  /** A proposal whose creation paid the fee alone, which a long text uses up before the minter is asked. */
  stall(name: string, payload: Payload): Promise<Told> {
    const description = `${name}: whoever wrote this had much to say and little to pay. `.repeat(20);
    return this.propose(name, payload, YEARS, { description, value: VALUE_OF_A_STALLED_PROPOSAL });
  }

  /** A proposal is made and carried: some of the crowd vote, then the council until it is executed. */
  async carry(
    name: string,
    payload: Payload,
    options: { description?: string; voters?: Actor[] } = {},
  ): Promise<Told> {
    const { governance } = this;
    const { voters = this.some(3), ...more } = options;
    const proposal = await this.propose(name, payload, 3 * DAY, more);
    governance.world.wait(2 * HOUR);
    await governance.voteAll(voters, proposal);
    await governance.world.settle();
    await governance.voteAll(await this.#deciders(proposal), proposal);
    await governance.world.settle();
    if (!(await readProposal(governance.world, proposal.address)).executed) {
      throw new Error(`the council did not carry "${name}"`);
    }
    governance.world.wait(3 * DAY);
    return proposal;
  }

  /** So many of the council as are needed to carry it, and one more whose vote comes too late. */
  async #deciders(proposal: Proposal): Promise<Actor[]> {
    const { governance, cast } = this;
    const { currentAmount, successAmount } = await readProposal(governance.world, proposal.address);
    let weight = currentAmount;
    let count = 1;
    for (const { address } of cast.council) {
      if (weight >= successAmount) {
        break;
      }
      weight += await governance.balanceOf(address);
      count++;
    }
    return cast.council.slice(0, count);
  }

  /** They vote; a vote may also be refused or come back. */
  async vote(voters: Actor[], proposal: Proposal): Promise<void> {
    await this.governance.voteAll(voters, proposal);
    await this.governance.world.settle();
  }

  /** A day on which GP changes hands among the crowd. */
  async trade(transfers: number): Promise<void> {
    const { governance, cast, random } = this;
    for (let left = transfers; left > 0; left -= 10) {
      const sellers = new Set(this.some(Math.min(10, left)));
      for (const seller of sellers) {
        const buyer = random.pick([...cast.crowd, ...cast.heroes]);
        const amount = BigInt(1 + random.below(5)) * GP;
        if (random.below(12) === 0) {
          // Enough gas to leave, too little to arrive: it comes back.
          governance.transfer(seller, buyer.address, amount, toNano('0.012'));
        } else {
          governance.transfer(seller, buyer.address, amount, undefined, 1n);
        }
      }
      await governance.world.settle();
      governance.world.wait(30 * 60);
    }
  }

  /** A few of the crowd, none twice. */
  some(count: number): Actor[] {
    const from = this.random.below(this.cast.crowd.length);
    const turned = [...this.cast.crowd.slice(from), ...this.cast.crowd.slice(0, from)];
    return turned.slice(0, count);
  }
}
