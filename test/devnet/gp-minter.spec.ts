import { Address, beginCell, Cell, toNano } from '@ton/core';
import { expect } from 'chai';
import { changeAdmin } from '../../shared/contracts/governance/change-admin.ts';
import { changeContent } from '../../shared/contracts/governance/change-content.ts';
import { mint } from '../../shared/contracts/governance/mint.ts';
import { provideVotingData } from '../../shared/contracts/governance/provide-voting-data.ts';
import { takeVotingData } from '../../shared/contracts/governance/take-voting-data.ts';
import { upgrade } from '../../shared/contracts/governance/upgrade.ts';
import { jettonBurnNotification } from '../../shared/contracts/jetton/burn-notification.ts';
import { loadJettonContent, offChainContent } from '../../shared/contracts/jetton/content.ts';
import { excesses } from '../../shared/contracts/jetton/excesses.ts';
import { jettonInternalTransfer } from '../../shared/contracts/jetton/internal-transfer.ts';
import { provideWalletAddress } from '../../shared/contracts/jetton/provide-wallet-address.ts';
import { takeWalletAddress } from '../../shared/contracts/jetton/take-wallet-address.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { codeOf } from './contracts/codes.ts';
import { type Lab, openLab } from './lab.ts';
import type { Actor } from './story/actor.ts';
import { minterDeployment } from './story/deployments.ts';

describe('devnet: GP minter', () => {
  let lab: Lab;
  beforeEach(async () => {
    lab = await openLab();
  });
  afterEach(() => lab.close());

  const first = async (from: Actor, body: Cell, value = toNano('0.2')) => {
    const [step] = await lab.send(from, { to: lab.governance.minter, body, value });
    return step;
  };
  const jettonData = async () => {
    const data = await lab.world.get(lab.governance.minter, 'get_jetton_data');
    const totalSupply = data.readBigNumber();
    const mintable = data.readBoolean();
    return {
      totalSupply,
      mintable,
      admin: data.readAddress(),
      content: data.readCell(),
      code: data.readCell(),
    };
  };
  const minting = (to: Address, amount: bigint, forwardTonAmount = 0n) =>
    bodyOf(mint, { queryId: 3n, to, amount, forwardTonAmount });

  it('mints for its admin alone, deploys the wallet and returns the excess', async () => {
    expect((await first(lab.alice, minting(lab.alice.address, 5n)))?.exitCode).to.equal(73);
    expect((await first(lab.owner, minting(lab.alice.address, 5n), toNano('0.019')))?.exitCode).to.equal(48);
    const master = new Address(-1, Buffer.alloc(32));
    expect((await first(lab.owner, minting(master, 5n)))?.exitCode).to.equal(50);
    const steps = await lab.send(lab.owner, {
      to: lab.governance.minter,
      body: minting(lab.alice.address, 5n),
      value: toNano('0.02'),
    });
    expect(steps.map(({ opcode, exitCode }) => [opcode, exitCode])).to.deep.equal([
      [mint.opcode, 0],
      [jettonInternalTransfer.opcode, 0],
      [excesses.opcode, 0],
    ]);
    expect(steps[2]?.account).to.equal(lab.owner.address.toRawString());
    const { totalSupply, mintable, admin, code } = await jettonData();
    expect([totalSupply, mintable]).to.deep.equal([5n, true]);
    expect(admin.equals(lab.owner.address)).to.equal(true);
    expect(code.equals(codeOf('gp-wallet'))).to.equal(true);
  });

  it('takes the supply back when a mint comes back', async () => {
    // A minter whose wallets have a code that refuses jettons.
    const sound = minterDeployment(lab.owner.address, Cell.EMPTY);
    const data = sound.init.data.beginParse();
    const head = beginCell()
      .storeCoins(data.loadCoins())
      .storeAddress(data.loadAddress())
      .storeRef(data.loadRef());
    const init = { code: codeOf('gp-minter'), data: head.storeRef(codeOf('gp-minter')).endCell() };
    const to = new Address(
      0,
      beginCell().storeUint(6, 5).storeRef(init.code).storeRef(init.data).endCell().hash(),
    );
    await lab.send(lab.owner, { to, init });
    const steps = await lab.send(lab.owner, { to, body: minting(lab.alice.address, 5n) });
    expect(steps.at(-1)?.bounced).to.equal(true);
    expect((await lab.world.get(to, 'get_jetton_data')).readBigNumber()).to.equal(0n);
  });

  it('believes burns of its own wallets alone', async () => {
    const forged = { queryId: 1n, amount: 1n, sender: lab.bob.address, responseDestination: null };
    expect((await first(lab.bob, bodyOf(jettonBurnNotification, forged)))?.exitCode).to.equal(75);
  });

  it('tells anybody where a wallet is (TEP-89)', async () => {
    const ask = async (ownerAddress: Address, includeAddress: boolean) => {
      const body = bodyOf(provideWalletAddress, { queryId: 1n, ownerAddress, includeAddress });
      const [, answer] = await lab.send(lab.bob, { to: lab.governance.minter, body });
      expect(answer?.opcode).to.equal(takeWalletAddress.opcode);
      return takeWalletAddress.load(answer?.body ?? Cell.EMPTY.beginParse());
    };
    const found = await ask(lab.alice.address, true);
    expect(found.walletAddress?.equals(lab.governance.walletOf(lab.alice.address))).to.equal(true);
    expect(found.ownerAddress?.equals(lab.alice.address)).to.equal(true);
    const none = await ask(new Address(-1, Buffer.alloc(32)), false);
    expect([none.walletAddress, none.ownerAddress]).to.deep.equal([null, null]);
  });

  it('answers what a proposal has to know, with the rest of the value', async () => {
    await first(lab.owner, minting(lab.alice.address, 77n));
    const [, answer] = await lab.send(lab.bob, {
      to: lab.governance.minter,
      body: bodyOf(provideVotingData, { queryId: 9n }),
    });
    const { queryId, totalSupply, walletCode } = takeVotingData.load(answer?.body ?? Cell.EMPTY.beginParse());
    expect([queryId, totalSupply]).to.deep.equal([9n, 77n]);
    expect(walletCode.equals(codeOf('gp-wallet'))).to.equal(true);
  });

  it('obeys its admin: content, code, and who comes after', async () => {
    const uri = 'https://gp.example.invalid/1.json';
    const content = bodyOf(changeContent, { queryId: 1n, content: offChainContent(uri) });
    const handOver = bodyOf(changeAdmin, { queryId: 1n, newAdmin: lab.bob.address });
    const newCode = bodyOf(upgrade, { queryId: 1n, code: codeOf('dao-6.1') });
    for (const body of [content, handOver, newCode]) {
      expect((await first(lab.alice, body))?.exitCode).to.equal(73);
    }
    expect((await first(lab.owner, content))?.exitCode).to.equal(0);
    expect(loadJettonContent((await jettonData()).content).uri).to.equal(uri);
    expect((await first(lab.owner, handOver))?.exitCode).to.equal(0);
    expect((await first(lab.owner, minting(lab.owner.address, 1n)))?.exitCode).to.equal(73);
    expect((await first(lab.bob, newCode))?.exitCode).to.equal(0);
    expect((await lab.world.get(lab.governance.minter, 'get_version')).readNumber()).to.equal(601);
  });

  it('refuses operations that it does not know; accepts coins and excesses', async () => {
    expect((await first(lab.alice, beginCell().storeUint(1, 32).endCell()))?.exitCode).to.equal(0xffff);
    expect((await first(lab.alice, Cell.EMPTY))?.exitCode).to.equal(0);
    expect((await first(lab.alice, bodyOf(excesses, { queryId: 1n })))?.exitCode).to.equal(0);
  });
});
