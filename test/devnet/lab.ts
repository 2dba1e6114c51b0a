import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, Cell, loadTransaction, type Slice, type Transaction, toNano } from '@ton/core';
import { upgrade } from '../../shared/contracts/governance/upgrade.ts';
import { onChainContent } from '../../shared/contracts/jetton/content.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { Chain } from './chain/chain.ts';
import { ChainStore } from './chain/chain-store.ts';
import { codeOf } from './contracts/codes.ts';
import { type Actor, type Letter, plainActor } from './story/actor.ts';
import { Governance } from './story/governance.ts';
import { World } from './story/world.ts';

/** One transaction of a trace, as a test looks at it. */
export interface Step {
  account: string;
  /** Of the message that caused it; undefined for an external one or one without an opcode. */
  opcode: number | undefined;
  bounced: boolean;
  /** Of the computation; undefined where there was none (no gas, no code). */
  exitCode: number | undefined;
  aborted: boolean;
  /** What follows the opcode of the message. */
  body: Slice;
  transaction: Transaction;
}

/** A chain of its own with a DAO on it, for tests of the contracts. */
export interface Lab {
  world: World;
  governance: Governance;
  /** Owner of the DAO and, until it is handed over, admin of its minter. */
  owner: Actor;
  alice: Actor;
  bob: Actor;
  /** Sends a letter and returns what it caused, without the sender's own transaction. */
  send(from: Actor, letter: Partial<Letter> & { to: Address }): Promise<Step[]>;
  /** Does something with the world and returns all transactions until it has settled. */
  trace(act: () => void | Promise<void>): Promise<Step[]>;
  /** An account's data after that block. */
  dataOf(address: Address, seqno: number): Cell;
  /** What an account has now, in nanoton. */
  coinsOf(address: Address): bigint;
  /** Gives the minter a code that knows none of its messages. */
  breakMinter(): Promise<void>;
  close(): Promise<void>;
}

const BOUNCED = 0xffff_ffff;

/** Opens a lab: DAO 6.0 with a GP that nobody holds yet. */
export async function openLab(): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'devnet-lab-'));
  const store = new ChainStore(folder);
  const chain = await Chain.open(store);
  const world = World.begin(chain, 1_750_000_000);
  const [owner, alice, bob] = [plainActor('owner'), plainActor('alice'), plainActor('bob')];
  await world.fund([owner, alice, bob], toNano(1000));
  const governance = await Governance.deploy(
    world,
    owner,
    'Lab',
    onChainContent({ name: 'Lab', symbol: 'LAB' }),
  );
  const trace: Lab['trace'] = async (act) => {
    const steps: Step[] = [];
    chain.onCommit = ({ transactions }) => {
      steps.push(...transactions.map(({ account, stored }) => stepOf(account, stored.boc)));
    };
    await act();
    await world.settle();
    chain.onCommit = undefined;
    return steps;
  };
  const send: Lab['send'] = async (from, letter) => {
    const steps = await trace(() => world.send(from, { value: toNano('0.2'), ...letter }));
    return steps.slice(1);
  };
  return {
    world,
    governance,
    owner,
    alice,
    bob,
    trace,
    send,
    dataOf: (address, seqno) => {
      const data = store.stateAt(address.toRawString(), seqno)?.data;
      return (data && Cell.fromBoc(Buffer.from(data))[0]) ?? Cell.EMPTY;
    },
    coinsOf: (address) => {
      const seqno = chain.head?.master.seqno ?? 0;
      return BigInt(store.stateAt(address.toRawString(), seqno)?.balance ?? 0);
    },
    breakMinter: async () => {
      const body = bodyOf(upgrade, { queryId: 1n, code: codeOf('proposal') });
      await send(owner, { to: governance.minter, body });
    },
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Reads a transaction as a step. */
export function stepOf(account: string, boc: Uint8Array): Step {
  const transaction = loadTransaction((Cell.fromBoc(Buffer.from(boc))[0] ?? Cell.EMPTY).beginParse());
  const { description, inMessage } = transaction;
  if (description.type !== 'generic' || !inMessage) {
    throw new Error(`a devnet has no ${description.type} transactions`);
  }
  const body = inMessage.body.beginParse();
  let opcode = inMessage.info.type === 'internal' && body.remainingBits >= 32 ? body.loadUint(32) : undefined;
  const bounced = opcode === BOUNCED;
  if (bounced) {
    opcode = body.remainingBits >= 32 ? body.loadUint(32) : undefined;
  }
  const { computePhase, aborted } = description;
  const exitCode = computePhase.type === 'vm' ? computePhase.exitCode : undefined;
  return { account, opcode, bounced, exitCode, aborted, body, transaction };
}
