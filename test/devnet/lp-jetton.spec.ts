import { Address, beginCell, Cell, toNano } from '@ton/core';
import { expect } from 'chai';
import { changeAdmin } from '../../shared/contracts/governance/change-admin.ts';
import { changeContent } from '../../shared/contracts/governance/change-content.ts';
import { mint } from '../../shared/contracts/governance/mint.ts';
import { upgrade } from '../../shared/contracts/governance/upgrade.ts';
import { jettonBurn } from '../../shared/contracts/jetton/burn.ts';
import { jettonBurnNotification } from '../../shared/contracts/jetton/burn-notification.ts';
import { noForwardPayload } from '../../shared/contracts/jetton/forward-payload.ts';
import { jettonInternalTransfer } from '../../shared/contracts/jetton/internal-transfer.ts';
import { provideWalletAddress } from '../../shared/contracts/jetton/provide-wallet-address.ts';
import { takeWalletAddress } from '../../shared/contracts/jetton/take-wallet-address.ts';
import { jettonTransfer } from '../../shared/contracts/jetton/transfer.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { type CampaignLab, exitAt, openCampaignLab } from './campaign-lab.ts';
import { codeOf } from './contracts/codes.ts';
import type { Actor } from './story/actor.ts';

describe('devnet: LP jetton', () => {
  let lab: CampaignLab;
  beforeEach(async () => {
    lab = await openCampaignLab();
  });
  afterEach(() => lab.close());

  const toWallet = async (from: Actor, body: Cell, value = toNano('0.2')) => {
    const to = lab.currency.walletOf(lab.alice.address);
    return exitAt(await lab.send(from, { to, body, value }), to);
  };
  const toMinter = async (from: Actor, body: Cell, value = toNano('0.2')) => {
    const to = lab.currency.minter;
    return exitAt(await lab.send(from, { to, body, value }), to);
  };
  const unknown = beginCell().storeUint(5, 32).endCell();
  const transfer = (changes: Partial<Parameters<typeof jettonTransfer.store>[0]> = {}) =>
    bodyOf(jettonTransfer, {
      queryId: 1n,
      amount: 5n,
      destination: lab.owner.address,
      responseDestination: lab.alice.address,
      customPayload: null,
      forwardTonAmount: 0n,
      forwardPayload: noForwardPayload,
      ...changes,
    });

  it('mints for its admin, the excess for the new owner', async () => {
    const { currency, owner, alice } = lab;
    const minting = (to: Address) => bodyOf(mint, { queryId: 1n, to, amount: 5n, forwardTonAmount: 0n });
    expect(await toMinter(alice, minting(alice.address))).to.equal(73);
    expect(await toMinter(owner, minting(alice.address), toNano('0.019'))).to.equal(48);
    expect(await toMinter(owner, minting(new Address(-1, Buffer.alloc(32))))).to.equal(50);
    const supply = await currency.supply();
    const before = lab.coinsOf(owner.address);
    const steps = await lab.send(owner, { to: currency.minter, body: minting(owner.address) });
    expect(steps.every(({ exitCode }) => exitCode === 0)).to.equal(true);
    expect((await currency.supply()) - supply).to.equal(5n);
    expect(Number(before - lab.coinsOf(owner.address))).to.be.below(3e7);
  });

  it('tells where a wallet is, by message and by get-method', async () => {
    const { currency, alice, bob } = lab;
    const body = bodyOf(provideWalletAddress, {
      queryId: 1n,
      ownerAddress: alice.address,
      includeAddress: true,
    });
    const [, answer] = await lab.send(bob, { to: currency.minter, body });
    const told = takeWalletAddress.load(answer?.body ?? Cell.EMPTY.beginParse());
    expect(told.walletAddress?.equals(currency.walletOf(alice.address))).to.equal(true);
    expect(told.ownerAddress?.equals(alice.address)).to.equal(true);
    const cell = beginCell().storeAddress(alice.address).endCell();
    const said = await lab.world.get(currency.minter, 'get_wallet_address', [{ type: 'slice', cell }]);
    expect(said.readAddress().equals(currency.walletOf(alice.address))).to.equal(true);
  });

  it('transfers what there is, for enough gas', async () => {
    const { alice, bob, owner, currency } = lab;
    const balance = await currency.balanceOf(alice.address);
    expect(await toWallet(bob, transfer())).to.equal(74);
    expect(await toWallet(alice, transfer({ amount: balance + 1n }))).to.equal(47);
    expect(await toWallet(alice, transfer(), toNano('0.01'))).to.equal(48);
    expect(await toWallet(alice, transfer({ destination: new Address(-1, Buffer.alloc(32)) }))).to.equal(50);
    const missing = { form: 'missing', cell: Cell.EMPTY } as const;
    expect(await toWallet(alice, transfer({ forwardPayload: missing }))).to.equal(49);
    expect(await currency.balanceOf(alice.address)).to.equal(balance);
    const to = currency.walletOf(alice.address);
    const steps = await lab.send(alice, { to, body: transfer(), value: toNano('0.012') });
    expect(steps.every(({ exitCode }) => exitCode === 0)).to.equal(true);
    expect(await currency.balanceOf(owner.address)).to.equal(5n);
    expect(await currency.balanceOf(alice.address)).to.equal(balance - 5n);
  });

  it('takes jettons from its minter and its like alone, and throws on what it does not know', async () => {
    for (const from of [lab.bob.address, null]) {
      const forged = bodyOf(jettonInternalTransfer, {
        queryId: 1n,
        amount: 1n,
        from,
        responseAddress: null,
        forwardTonAmount: 0n,
        forwardPayload: noForwardPayload,
      });
      expect(await toWallet(lab.bob, forged)).to.equal(75);
    }
    expect(await toWallet(lab.alice, unknown)).to.equal(0xffff);
    expect(await toMinter(lab.alice, unknown)).to.equal(0xffff);
  });

  it('burns what its owner gives up', async () => {
    const { alice, bob, currency } = lab;
    const [balance, supply] = [await currency.balanceOf(alice.address), await currency.supply()];
    const burning = (amount: bigint) =>
      bodyOf(jettonBurn, {
        queryId: 1n,
        amount,
        responseDestination: alice.address,
        customPayload: null,
      });
    expect(await toWallet(bob, burning(1n))).to.equal(74);
    expect(await toWallet(alice, burning(balance + 1n))).to.equal(47);
    expect(await toWallet(alice, burning(1n), toNano('0.007'))).to.equal(48);
    expect(await toWallet(alice, burning(7n))).to.equal(0);
    expect([await currency.balanceOf(alice.address), await currency.supply()]).to.deep.equal([
      balance - 7n,
      supply - 7n,
    ]);
    const forged = { queryId: 1n, amount: 1n, sender: bob.address, responseDestination: null };
    expect(await toMinter(bob, bodyOf(jettonBurnNotification, forged))).to.equal(75);
  });

  it('obeys its admin: content, code, and who comes after', async () => {
    const { owner, bob } = lab;
    const content = bodyOf(changeContent, { queryId: 1n, content: Cell.EMPTY });
    const handOver = bodyOf(changeAdmin, { queryId: 1n, newAdmin: bob.address });
    const newCode = bodyOf(upgrade, { queryId: 1n, code: codeOf('dao-6.1') });
    for (const body of [content, handOver, newCode]) {
      expect(await toMinter(bob, body)).to.equal(73);
    }
    expect(await toMinter(owner, content)).to.equal(0);
    expect(await toMinter(owner, handOver)).to.equal(0);
    expect(await toMinter(owner, content)).to.equal(73);
    expect(await toMinter(bob, newCode)).to.equal(0);
    expect((await lab.world.get(lab.currency.minter, 'get_version')).readNumber()).to.equal(601);
  });
});
