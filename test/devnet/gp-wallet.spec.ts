import { Address, beginCell, Cell, Dictionary, toNano } from '@ton/core';
import { expect } from 'chai';
import { vote } from '../../shared/contracts/governance/vote.ts';
import { jettonBurn } from '../../shared/contracts/jetton/burn.ts';
import { excesses } from '../../shared/contracts/jetton/excesses.ts';
import { jettonInternalTransfer } from '../../shared/contracts/jetton/internal-transfer.ts';
import { jettonTransfer } from '../../shared/contracts/jetton/transfer.ts';
import { jettonTransferNotification } from '../../shared/contracts/jetton/transfer-notification.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { type Lab, openLab } from './lab.ts';
import { type Actor, plainActor } from './story/actor.ts';
import { readProposal } from './story/governance.ts';
import { text } from './story/payloads.ts';

describe('devnet: GP wallet', () => {
  let lab: Lab;
  const inline = { form: 'inline', cell: beginCell().storeUint(5, 8).endCell() } as const;

  beforeEach(async () => {
    lab = await openLab();
    lab.governance.mint(lab.owner, [{ to: lab.alice.address, amount: 1000n }]);
    await lab.world.settle();
  });
  afterEach(() => lab.close());

  const walletOf = (owner: Actor) => lab.governance.walletOf(owner.address);
  const balanceOf = async (owner: Actor) =>
    (await lab.world.get(walletOf(owner), 'get_wallet_data')).readBigNumber();
  const locksOf = async (owner: Actor) => {
    const cell = (await lab.world.get(walletOf(owner), 'get_vote_locks')).readCellOpt();
    return cell
      ? Dictionary.loadDirect(
          Dictionary.Keys.Address(),
          {
            parse: (slice) => ({ amount: slice.loadCoins(), until: slice.loadUint(32) }),
            serialize: () => {},
          },
          cell,
        ).values()
      : [];
  };
  const transfer = (more: Partial<Parameters<typeof jettonTransfer.store>[0]> = {}) =>
    bodyOf(jettonTransfer, {
      queryId: 1n,
      amount: 400n,
      destination: lab.bob.address,
      responseDestination: lab.alice.address,
      customPayload: null,
      forwardTonAmount: 0n,
      forwardPayload: inline,
      ...more,
    });
  const first = async (from: Actor, body: Cell, value = toNano('0.2')) => {
    const [step] = await lab.send(from, { to: walletOf(lab.alice), body, value });
    return step;
  };
  const propose = async (duration = 1000) => {
    const draft = { name: 'Text', description: '', duration, payload: text('x').cell };
    const proposal = lab.governance.propose(lab.owner, draft);
    await lab.world.settle();
    return { ...proposal, ...(await readProposal(lab.world, proposal.address)) };
  };

  it('lives where the minter says, with its owner, its minter and its code', async () => {
    const args = [{ type: 'slice' as const, cell: beginCell().storeAddress(lab.alice.address).endCell() }];
    const said = await lab.world.get(lab.governance.minter, 'get_wallet_address', args);
    expect(said.readAddress().toRawString()).to.equal(walletOf(lab.alice).toRawString());
    const data = await lab.world.get(walletOf(lab.alice), 'get_wallet_data');
    expect(data.readBigNumber()).to.equal(1000n);
    expect(data.readAddress().equals(lab.alice.address)).to.equal(true);
    expect(data.readAddress().equals(lab.governance.minter)).to.equal(true);
  });

  it('transfers, notifies the new owner with the payload, and returns the excess', async () => {
    const steps = await lab.send(lab.alice, {
      to: walletOf(lab.alice),
      body: transfer({ forwardTonAmount: 7n }),
    });
    expect(steps.map(({ opcode }) => opcode)).to.have.members([
      jettonTransfer.opcode,
      jettonInternalTransfer.opcode,
      jettonTransferNotification.opcode,
      excesses.opcode,
    ]);
    const notified = steps.find(({ opcode }) => opcode === jettonTransferNotification.opcode);
    expect(notified?.account).to.equal(lab.bob.address.toRawString());
    const notification = jettonTransferNotification.load(notified?.body ?? Cell.EMPTY.beginParse());
    expect(notification.amount).to.equal(400n);
    expect(notification.sender?.equals(lab.alice.address)).to.equal(true);
    expect(notification.forwardPayload.cell.equals(inline.cell)).to.equal(true);
    expect([await balanceOf(lab.alice), await balanceOf(lab.bob)]).to.deep.equal([600n, 400n]);
  });

  it('refuses a transfer of a stranger, over the balance, out of gas, off the chain, or badly formed', async () => {
    expect((await first(lab.bob, transfer()))?.exitCode).to.equal(74);
    expect((await first(lab.alice, transfer({ amount: 1001n })))?.exitCode).to.equal(47);
    expect((await first(lab.alice, transfer(), toNano('0.01')))?.exitCode).to.equal(48);
    expect((await first(lab.alice, transfer({ forwardTonAmount: toNano(1) })))?.exitCode).to.equal(48);
    const master = new Address(-1, Buffer.alloc(32));
    expect((await first(lab.alice, transfer({ destination: master })))?.exitCode).to.equal(50);
    const missing = { form: 'missing', cell: Cell.EMPTY } as const;
    expect((await first(lab.alice, transfer({ forwardPayload: missing })))?.exitCode).to.equal(49);
    expect(await balanceOf(lab.alice)).to.equal(1000n);
  });

  it('takes back what the recipient had too little gas for', async () => {
    const steps = await lab.send(lab.alice, {
      to: walletOf(lab.alice),
      body: transfer(),
      value: toNano('0.012'),
    });
    expect(steps.map(({ exitCode, bounced }) => [exitCode, bounced])).to.deep.equal([
      [0, false],
      [48, false],
      [0, true],
    ]);
    expect(await balanceOf(lab.alice)).to.equal(1000n);
  });

  it('takes jettons from its minter and from wallets of the same jetton alone', async () => {
    const forged = (from: Address | null) =>
      bodyOf(jettonInternalTransfer, {
        queryId: 1n,
        amount: 1n,
        from,
        responseAddress: null,
        forwardTonAmount: 0n,
        forwardPayload: inline,
      });
    expect((await first(lab.bob, forged(lab.bob.address)))?.exitCode).to.equal(75);
    expect((await first(lab.bob, forged(null)))?.exitCode).to.equal(75);
  });

  it('refuses operations that it does not know, and bodies with more in them than their fields', async () => {
    expect((await first(lab.alice, beginCell().storeUint(1, 32).endCell()))?.exitCode).to.equal(0xffff);
    const message = { queryId: 1n, amount: 1n, responseDestination: null, customPayload: null };
    const longer = beginCell().store(jettonBurn.store(message)).storeBit(true).endCell();
    expect((await first(lab.alice, longer))?.exitCode).to.equal(9);
    expect((await first(lab.alice, Cell.EMPTY))?.exitCode).to.equal(0);
  });

  it('burns, and is given the balance back when the minter refuses', async () => {
    const burn = (amount: bigint) =>
      bodyOf(jettonBurn, {
        queryId: 1n,
        amount,
        responseDestination: lab.alice.address,
        customPayload: null,
      });
    expect((await first(lab.bob, burn(1n)))?.exitCode).to.equal(74);
    expect((await first(lab.alice, burn(1001n)))?.exitCode).to.equal(47);
    expect((await first(lab.alice, burn(1n), toNano('0.007')))?.exitCode).to.equal(48);
    const steps = await lab.send(lab.alice, { to: walletOf(lab.alice), body: burn(300n) });
    expect(steps.at(-1)?.opcode).to.equal(excesses.opcode);
    expect(await balanceOf(lab.alice)).to.equal(700n);
    const supply = await lab.world.get(lab.governance.minter, 'get_jetton_data');
    expect(supply.readBigNumber()).to.equal(700n);

    await lab.breakMinter();
    const refused = await lab.send(lab.alice, { to: walletOf(lab.alice), body: burn(200n) });
    expect(refused.at(-1)?.bounced).to.equal(true);
    expect(await balanceOf(lab.alice)).to.equal(700n);
  });

  it('votes with its whole balance, which stays but is locked until the proposal ends', async () => {
    lab.governance.mint(lab.owner, [{ to: lab.bob.address, amount: 5000n }]);
    await lab.world.settle();
    const { address, expiresAt } = await propose();
    const ballot = bodyOf(vote, { queryId: 1n, proposal: address, expiresAt });
    expect((await first(lab.bob, ballot))?.exitCode).to.equal(74);
    expect((await first(lab.alice, ballot, toNano('0.02')))?.exitCode).to.equal(48);
    const steps = await lab.send(lab.alice, { to: walletOf(lab.alice), body: ballot });
    expect(steps.map(({ exitCode }) => exitCode)).to.deep.equal([0, 0, 0]);
    expect(await locksOf(lab.alice)).to.deep.equal([{ amount: 1000n, until: expiresAt }]);
    expect((await readProposal(lab.world, address)).currentAmount).to.equal(1000n);

    expect((await first(lab.alice, ballot))?.exitCode).to.equal(60);
    expect((await first(lab.alice, transfer({ amount: 1n })))?.exitCode).to.equal(47);
    lab.governance.transfer(lab.bob, lab.alice.address, 50n);
    await lab.world.settle();
    expect((await first(lab.alice, transfer({ amount: 51n })))?.exitCode).to.equal(47);
    expect((await first(lab.alice, transfer({ amount: 50n })))?.exitCode).to.equal(0);

    lab.world.wait(1001);
    expect((await first(lab.alice, transfer({ amount: 1000n })))?.exitCode).to.equal(0);
    lab.governance.transfer(lab.bob, lab.alice.address, 9n);
    await lab.world.settle();
    const next = await propose();
    await lab.send(lab.alice, {
      to: walletOf(lab.alice),
      body: bodyOf(vote, { queryId: 1n, proposal: next.address, expiresAt: next.expiresAt }),
    });
    expect(await locksOf(lab.alice)).to.deep.equal([{ amount: 9n, until: next.expiresAt }]);
  });

  it('cannot vote with nothing', async () => {
    await lab.send(lab.alice, { to: walletOf(lab.alice), body: transfer({ amount: 1000n }) });
    const ballot = bodyOf(vote, { queryId: 1n, proposal: lab.bob.address, expiresAt: 2 ** 31 });
    expect((await first(lab.alice, ballot))?.exitCode).to.equal(68);
  });

  it('loses the lock again when the proposal refuses the vote', async () => {
    const { address } = await propose();
    const ballot = bodyOf(vote, { queryId: 1n, proposal: address, expiresAt: 2 ** 31 });
    const steps = await lab.send(lab.alice, { to: walletOf(lab.alice), body: ballot });
    expect(steps.map(({ exitCode, bounced }) => [exitCode, bounced])).to.deep.equal([
      [0, false],
      [67, false],
      [0, true],
    ]);
    expect(await locksOf(lab.alice)).to.deep.equal([]);
    expect((await first(lab.alice, transfer({ amount: 1000n })))?.exitCode).to.equal(0);
  });

  it('keeps at most 32 locks, so that a transfer stays affordable', async () => {
    const ballot = (index: number) =>
      bodyOf(vote, { queryId: 1n, proposal: plainActor(`proposal ${index}`).address, expiresAt: 2 ** 31 });
    const proposals = Array.from({ length: 32 }, (_, index) => plainActor(`proposal ${index}`));
    await lab.world.fund(proposals, toNano('0.1'));
    for (const index of proposals.keys()) {
      expect((await first(lab.alice, ballot(index)))?.exitCode).to.equal(0);
    }
    expect(await locksOf(lab.alice)).to.have.length(32);
    expect((await first(lab.alice, ballot(32)))?.exitCode).to.equal(61);
    lab.governance.mint(lab.owner, [{ to: lab.alice.address, amount: 5n }]);
    await lab.world.settle();
    const steps = await lab.send(lab.alice, {
      to: walletOf(lab.alice),
      body: transfer({ amount: 5n }),
      value: toNano('0.05'),
    });
    expect(steps.slice(0, 2).map(({ exitCode }) => exitCode)).to.deep.equal([0, 0]);
  });
});
