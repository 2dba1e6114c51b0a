import { type Address, beginCell, type Cell, toNano } from '@ton/core';
import { changeAdmin } from '../../../shared/contracts/governance/change-admin.ts';
import { createProposal } from '../../../shared/contracts/governance/create-proposal.ts';
import { mint } from '../../../shared/contracts/governance/mint.ts';
import { retryInit } from '../../../shared/contracts/governance/retry-init.ts';
import { vote } from '../../../shared/contracts/governance/vote.ts';
import { jettonBurn } from '../../../shared/contracts/jetton/burn.ts';
import { noForwardPayload } from '../../../shared/contracts/jetton/forward-payload.ts';
import { jettonTransfer } from '../../../shared/contracts/jetton/transfer.ts';
import { bodyOf } from '../../../shared/contracts/message-schema.ts';
import type { Actor } from './actor.ts';
import { daoDeployment, minterDeployment, proposalDeployment, walletDeployment } from './deployments.ts';
import type { World } from './world.ts';

/** A proposal on its way: what it is called and where it is. */
export interface Proposal {
  id: bigint;
  address: Address;
}

export interface ProposalDraft {
  name: string;
  description: string;
  /** Seconds. */
  duration: number;
  payload: Cell;
  /** Coins that its creation is given; with little it stays `mine`. */
  value?: bigint;
}

const VALUE = toNano('0.1');
// The fee, and too little beyond it for the question to the minter.
export const VALUE_OF_A_STALLED_PROPOSAL = toNano('0.03');

/** A DAO with its GP, as those who take part in it use them: every method sends with the next block. */
export class Governance {
  readonly world: World;
  readonly dao: Address;
  readonly minter: Address;
  #nextProposalId: bigint;
  #queryId = 0n;

  constructor(world: World, dao: Address, minter: Address, nextProposalId = 1n) {
    this.world = world;
    this.dao = dao;
    this.minter = minter;
    this.#nextProposalId = nextProposalId;
  }

  /** Deploys a minter and the DAO that names it. The owner stays the minter's admin until `handOver`. */
  static async deploy(world: World, owner: Actor, name: string, content: Cell): Promise<Governance> {
    const minter = minterDeployment(owner.address, content);
    world.send(owner, { to: minter.address, value: VALUE, init: minter.init });
    await world.settle();
    const dao = daoDeployment(owner.address, minter.address, 5000, name);
    world.send(owner, { to: dao.address, value: toNano('50'), init: dao.init });
    await world.settle();
    return new Governance(world, dao.address, minter.address);
  }

  /** The number that the DAO's next proposal will have. */
  get nextProposalId(): bigint {
    return this.#nextProposalId;
  }

  walletOf(owner: Address): Address {
    return walletDeployment(owner, this.minter).address;
  }

  async balanceOf(owner: Address): Promise<bigint> {
    return (await this.world.get(this.walletOf(owner), 'get_wallet_data')).readBigNumber();
  }

  mint(admin: Actor, shares: { to: Address; amount: bigint }[]): void {
    const letters = shares.map(({ to, amount }) => ({
      to: this.minter,
      value: VALUE,
      body: bodyOf(mint, { queryId: this.#query(), to, amount, forwardTonAmount: 0n }),
    }));
    this.world.send(admin, ...letters);
  }

  handOver(admin: Actor): void {
    const body = bodyOf(changeAdmin, { queryId: this.#query(), newAdmin: this.dao });
    this.world.send(admin, { to: this.minter, value: VALUE, body });
  }

  transfer(from: Actor, to: Address, amount: bigint, value = VALUE, forwardTonAmount = 0n): void {
    const body = bodyOf(jettonTransfer, {
      queryId: this.#query(),
      amount,
      destination: to,
      responseDestination: from.address,
      customPayload: null,
      forwardTonAmount,
      forwardPayload: noForwardPayload,
    });
    this.world.send(from, { to: this.walletOf(from.address), value, body });
  }

  burn(from: Actor, amount: bigint): void {
    const message = {
      queryId: this.#query(),
      amount,
      responseDestination: from.address,
      customPayload: null,
    };
    this.world.send(from, {
      to: this.walletOf(from.address),
      value: VALUE,
      body: bodyOf(jettonBurn, message),
    });
  }

  propose(from: Actor, { value, ...draft }: ProposalDraft): Proposal {
    const id = this.#nextProposalId++;
    const body = bodyOf(createProposal, { queryId: this.#query(), ...draft });
    this.world.send(from, { to: this.dao, value: value ?? toNano('0.2'), body });
    return this.proposal(id);
  }

  /** The DAO's proposal with that number. */
  proposal(id: bigint): Proposal {
    return { id, address: proposalDeployment(this.dao, id).address };
  }

  retryInit(from: Actor, proposal: Proposal): void {
    const body = bodyOf(retryInit, { queryId: this.#query() });
    this.world.send(from, { to: proposal.address, value: VALUE, body });
  }

  vote(from: Actor, proposal: Address, expiresAt: number): void {
    const body = bodyOf(vote, { queryId: this.#query(), proposal, expiresAt });
    this.world.send(from, { to: this.walletOf(from.address), value: VALUE, body });
  }

  /** Has them vote with the next block. */
  async voteAll(voters: Actor[], proposal: Proposal): Promise<void> {
    const { expiresAt } = await readProposal(this.world, proposal.address);
    for (const voter of voters) {
      this.vote(voter, proposal.address, expiresAt);
    }
  }

  #query(): bigint {
    return ++this.#queryId;
  }
}

export interface ProposalState {
  initialised: boolean;
  executed: boolean;
  successAmount: bigint;
  currentAmount: bigint;
  createdAt: number;
  expiresAt: number;
}

/** What a proposal's contract says of itself. */
export async function readProposal(world: World, proposal: Address): Promise<ProposalState> {
  const data = await world.get(proposal, 'get_proposal_data');
  const initialised = data.readBoolean();
  const executed = data.readBoolean();
  data.skip(6);
  const successAmount = data.readBigNumber();
  const currentAmount = data.readBigNumber();
  return {
    initialised,
    executed,
    successAmount,
    currentAmount,
    createdAt: data.readNumber(),
    expiresAt: data.readNumber(),
  };
}

/** Whether a proposal has counted a vote of that owner. */
export async function hasVoted(world: World, proposal: Address, voter: Address): Promise<boolean> {
  const cell = beginCell().storeAddress(voter).endCell();
  return (await world.get(proposal, 'get_vote', [{ type: 'slice', cell }])).readBoolean();
}
