import { createHash } from 'node:crypto';
import {
  type Address,
  beginCell,
  type Cell,
  external,
  internal,
  type MessageRelaxed,
  SendMode,
  type StateInit,
  storeMessage,
} from '@ton/core';
import type { KeyPair } from '@ton/crypto';
import { TreasuryContract } from '@ton/sandbox';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';

/** What an actor sends: one internal message. */
export interface Letter {
  to: Address;
  value: bigint;
  body?: Cell;
  init?: StateInit;
  /** Comes back where the recipient fails; true unless said otherwise. */
  bounce?: boolean;
}

/** Somebody with a wallet: turns letters into the external message that makes the wallet send them. */
export interface Actor {
  address: Address;
  init: StateInit;
  /** How many letters its wallet can send at once. */
  capacity: number;
  external(letters: Letter[]): Cell;
}

export type WalletVersion = 'v4' | 'v5r1';

// Signed messages of the story must not depend on when it is played.
const NEVER = 0xffff_ffff;
// Wallets of version 5 refuse external messages that do not ignore errors.
const SEND_MODE = (SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS) as SendMode;

/**
 * An actor with a wallet that checks nothing (the sandbox's treasury): cheap to run, and without
 * keys. For all those whose wallet is not in anybody's hands.
 */
export function plainActor(seed: string): Actor {
  const id = BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`);
  const treasury = TreasuryContract.create(0, id);
  return {
    address: treasury.address,
    init: treasury.init,
    capacity: 200,
    external: (letters) => {
      const transfer = treasury.createTransfer({
        messages: letters.map(messageOf),
        sendMode: SendMode.PAY_GAS_SEPARATELY,
      });
      return externalTo(treasury.address, transfer);
    },
  };
}

/** An actor with a real wallet; `seqno` is where its wallet stands. */
export function walletActor(version: WalletVersion, { publicKey, secretKey }: KeyPair, seqno = 0): Actor {
  let next = seqno;
  const request = (letters: Letter[]) => ({
    seqno: next++,
    secretKey,
    timeout: NEVER,
    sendMode: SEND_MODE,
    messages: letters.map(messageOf),
  });
  if (version === 'v4') {
    const v4 = WalletContractV4.create({ workchain: 0, publicKey });
    const { address, init } = v4;
    return {
      address,
      init,
      capacity: 4,
      external: (letters) => externalTo(address, v4.createTransfer(request(letters))),
    };
  }
  const v5 = WalletContractV5R1.create({ workchain: 0, publicKey });
  const { address, init } = v5;
  return {
    address,
    init,
    capacity: 200,
    external: (letters) => externalTo(address, v5.createTransfer(request(letters))),
  };
}

function messageOf({ to, value, body, init, bounce }: Letter): MessageRelaxed {
  return internal({ to, value, body: body ?? null, init: init ?? null, bounce: bounce ?? true });
}

function externalTo(to: Address, body: Cell): Cell {
  return beginCell()
    .store(storeMessage(external({ to, body })))
    .endCell();
}
