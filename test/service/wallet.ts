import { setTimeout as pause } from 'node:timers/promises';
import { Address, Cell, internal, type OpenedContract, SendMode } from '@ton/core';
import { mnemonicToPrivateKey } from '@ton/crypto';
import { TonClient4, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { expect } from 'chai';
import type { StoryFacts } from '../devnet/story/facts.ts';

/** What a wallet application reads from a link. */
export interface Transfer {
  /** User-friendly in a link. */
  to: string;
  /** Nanoton. */
  value: bigint;
  body: Cell;
}

/** Reads a link as strictly as the strictest wallets do: known parameters alone, a bounceable address. */
export function readLink(uri: string): Transfer {
  const url = new URL(uri);
  expect(url.protocol).to.equal('ton:');
  const [, to = ''] = /^ton:\/\/transfer\/([\w-]{48})\?/.exec(uri) ?? [];
  const { isBounceable, isTestOnly } = Address.parseFriendly(to);
  expect({ isBounceable, isTestOnly }).to.deep.equal({ isBounceable: true, isTestOnly: false });
  expect([...url.searchParams.keys()]).to.deep.equal(['amount', 'bin']);
  const bin = url.searchParams.get('bin') ?? '';
  expect(bin).to.match(/^[\w-]+$/);
  const roots = Cell.fromBoc(Buffer.from(bin, 'base64url'));
  expect(roots).to.have.length(1);
  return { to, value: BigInt(url.searchParams.get('amount') ?? ''), body: roots[0] as Cell };
}

type StoryWallet = Pick<StoryFacts['wallets'][number], 'address' | 'mnemonic'>;

/** A wallet of the story, which signs what a link asks for and sends it through the v4 API. */
export class Wallet {
  readonly address: string;
  private readonly contract: OpenedContract<WalletContractV4> | OpenedContract<WalletContractV5R1>;
  private readonly secretKey: Buffer;

  private constructor(address: string, contract: Wallet['contract'], secretKey: Buffer) {
    this.address = address;
    this.contract = contract;
    this.secretKey = secretKey;
  }

  static async open(client: TonClient4, { address, mnemonic }: StoryWallet): Promise<Wallet> {
    const { publicKey, secretKey } = await mnemonicToPrivateKey(mnemonic.split(' '));
    const [v4, v5] = [
      WalletContractV4.create({ workchain: 0, publicKey }),
      WalletContractV5R1.create({ publicKey }),
    ];
    const contract = v4.address.toRawString() === address ? client.open(v4) : client.open(v5);
    expect(contract.address.toRawString()).to.equal(address);
    return new Wallet(address, contract, secretKey);
  }

  /** Signs the transfer and hands it to the chain. */
  async send({ to, value, body }: Transfer): Promise<void> {
    const seqno = await this.contract.getSeqno();
    await this.contract.sendTransfer({
      seqno,
      secretKey: this.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to, value, body, bounce: true })],
    });
  }

  /** The same; resolves once the wallet has taken it. */
  async sendAndWait(transfer: Transfer): Promise<void> {
    const before = await this.contract.getSeqno();
    await this.send(transfer);
    while ((await this.contract.getSeqno()) === before) await pause(50);
  }
}
