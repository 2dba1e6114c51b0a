import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Address, beginCell, type TupleItem, toNano } from '@ton/core';
import { expect } from 'chai';
import { createJettonWalletResolver, type ResolverOptions } from '../../../api/links/jetton-wallet.ts';
import { createChainClient } from '../../../shared/chain/chain-client.ts';
import { onChainContent } from '../../../shared/contracts/jetton/content.ts';
import { Chain } from '../../devnet/chain/chain.ts';
import { ChainStore } from '../../devnet/chain/chain-store.ts';
import { createApp } from '../../devnet/server/app.ts';
import { plainActor } from '../../devnet/story/actor.ts';
import { Jetton } from '../../devnet/story/jetton.ts';
import { World } from '../../devnet/story/world.ts';
import { address } from '../story.ts';

const MINTER = address(1);
const WALLET = address(0x7a);
const slice = (raw: string): TupleItem => ({
  type: 'slice',
  cell: beginCell().storeAddress(Address.parseRaw(raw)).endCell(),
});

/** A chain whose answers a test gives by hand. */
class HandChain {
  asked: string[] = [];
  answer: (owner: string) => Promise<{ exitCode: number; result: TupleItem[] }> = () =>
    Promise.resolve({ exitCode: 0, result: [slice(WALLET)] });

  head() {
    return Promise.resolve({ seqno: 7, now: 0 });
  }

  runMethod(seqno: number, minter: string, name: string, [argument]: TupleItem[] = []) {
    if (argument?.type !== 'slice') throw new TypeError('the owner is a slice');
    const owner = argument.cell.beginParse().loadAddress().toRawString();
    this.asked.push([seqno, minter, name, owner].join(' '));
    return this.answer(owner);
  }
}

describe('the resolver of jetton wallets', () => {
  let chain: HandChain;
  let now: number;
  const resolver = (options: ResolverOptions = {}) =>
    createJettonWalletResolver(chain, { clock: () => now, ...options });
  beforeEach(() => {
    chain = new HandChain();
    now = 0;
  });

  const code = (answer: Promise<unknown>) =>
    answer.then(
      () => 'resolved',
      (error: unknown) => (error as { code: string }).code,
    );

  it('asks get_wallet_address of the minter at the head', async () => {
    expect(await resolver()(MINTER, address(5))).to.equal(WALLET);
    expect(chain.asked).to.deep.equal([`7 ${MINTER} get_wallet_address ${address(5)}`]);
  });

  it('reads what a real minter answers through the v4 API', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jetton-wallet-'));
    const store = new ChainStore(folder);
    const devnet = await Chain.open(store);
    const world = World.begin(devnet, 1_750_000_000);
    const owner = plainActor('owner');
    await world.fund([owner], toNano(1000));
    const jetton = await Jetton.deploy(world, owner, onChainContent({ name: 'Dollar' }));
    const view = { chain: devnet, store, visibleHead: () => devnet.head, now: () => world.now };
    const server = createApp(view).listen(0);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const resolve = createJettonWalletResolver(createChainClient({ endpoints: [{ url }], retries: 0 }));
    const raw = owner.address.toRawString();
    expect(await resolve(jetton.minter.toRawString(), raw)).to.equal(
      jetton.walletOf(owner.address).toRawString(),
    );
    expect(await code(resolve(address(1), raw))).to.equal('JETTON_WALLET_UNAVAILABLE');
    server.closeAllConnections();
    server.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('asks once for those who ask at once, and remembers for a time', async () => {
    const resolve = resolver({ ttlMs: 100 });
    await Promise.all([1, 2, 3].map(() => resolve(MINTER, address(5))));
    await resolve(MINTER, address(5));
    expect(chain.asked).to.have.length(1);
    await resolve(MINTER, address(6));
    await resolve(address(2), address(5));
    expect(chain.asked).to.have.length(3);
    now = 100;
    await resolve(MINTER, address(5));
    expect(chain.asked).to.have.length(4);
  });

  it('forgets what was unused for longest, and remembers no failure', async () => {
    const resolve = resolver({ capacity: 2 });
    for (const owner of [5, 6, 7, 5]) await resolve(MINTER, address(owner));
    expect(chain.asked).to.have.length(4);
    chain.answer = () => Promise.resolve({ exitCode: 11, result: [] });
    const failed = () => code(resolve(MINTER, address(9)));
    expect([await failed(), await failed()]).to.deep.equal([
      'JETTON_WALLET_UNAVAILABLE',
      'JETTON_WALLET_UNAVAILABLE',
    ]);
    expect(chain.asked).to.have.length(6);
  });

  it('fails where the method fails, or gives no address', async () => {
    const answers: { exitCode: number; result: TupleItem[] }[] = [
      { exitCode: -13, result: [slice(WALLET)] },
      { exitCode: 0, result: [] },
      { exitCode: 0, result: [{ type: 'int', value: 1n }] },
      { exitCode: 0, result: [{ type: 'slice', cell: beginCell().storeAddress(null).endCell() }] },
      { exitCode: 0, result: [{ type: 'slice', cell: beginCell().endCell() }] },
    ];
    for (const answer of answers) {
      chain.answer = () => Promise.resolve(answer);
      expect(await code(resolver()(MINTER, address(5)))).not.to.equal('resolved');
    }
    chain.answer = () => Promise.reject(Object.assign(new Error('down'), { code: 'CHAIN_UNAVAILABLE' }));
    expect(await code(resolver()(MINTER, address(5)))).to.equal('CHAIN_UNAVAILABLE');
  });

  it('lets who waits too long go, and keeps the answer that comes later', async () => {
    let give = () => {};
    chain.answer = () =>
      new Promise((resolve) => (give = () => resolve({ exitCode: 0, result: [slice(WALLET)] })));
    const resolve = resolver({ timeoutMs: 5 });
    expect(await code(resolve(MINTER, address(5)))).to.equal('JETTON_WALLET_UNAVAILABLE');
    expect(await code(resolve(MINTER, address(5)))).to.equal('JETTON_WALLET_UNAVAILABLE');
    expect(chain.asked).to.have.length(1);
    give();
    await new Promise(setImmediate);
    expect(await resolve(MINTER, address(5))).to.equal(WALLET);
    expect(chain.asked).to.have.length(1);
  });

  it('leaves no unhandled rejection where the answer fails after everybody left', async () => {
    let fail = () => {};
    chain.answer = () => new Promise((_, reject) => (fail = () => reject(new Error('late'))));
    const resolve = resolver({ timeoutMs: 5 });
    expect(await code(resolve(MINTER, address(5)))).to.equal('JETTON_WALLET_UNAVAILABLE');
    fail();
    await new Promise((resolve_) => setTimeout(resolve_, 10));
    expect(chain.asked).to.have.length(1);
  });

  it('does not let questions pile up while the chain does not answer', async () => {
    chain.answer = () => new Promise(() => {});
    const resolve = resolver({ inFlight: 2, timeoutMs: 5 });
    const answers = await Promise.all([1, 2, 3, 1].map((owner) => code(resolve(MINTER, address(owner)))));
    expect(new Set(answers)).to.deep.equal(new Set(['JETTON_WALLET_UNAVAILABLE']));
    expect(chain.asked).to.have.length(2);
  });
});
