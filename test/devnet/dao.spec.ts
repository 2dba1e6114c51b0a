import { type Address, beginCell, Cell, comment, toNano } from '@ton/core';
import { expect } from 'chai';
import { loadDaoStorage } from '../../shared/contracts/dao/storage.ts';
import { createProposal } from '../../shared/contracts/governance/create-proposal.ts';
import { executeProposal } from '../../shared/contracts/governance/execute-proposal.ts';
import { startCampaign } from '../../shared/contracts/governance/start-campaign.ts';
import { upgrade } from '../../shared/contracts/governance/upgrade.ts';
import { excesses } from '../../shared/contracts/jetton/excesses.ts';
import { noForwardPayload } from '../../shared/contracts/jetton/forward-payload.ts';
import { jettonTransferNotification } from '../../shared/contracts/jetton/transfer-notification.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { loadSnakeText } from '../../shared/contracts/snake-text.ts';
import { codeOf } from './contracts/codes.ts';
import { type Lab, openLab, type Step } from './lab.ts';
import { plainActor } from './story/actor.ts';
import { readProposal } from './story/governance.ts';
import * as payloads from './story/payloads.ts';

describe('devnet: DAO', () => {
  let lab: Lab;
  beforeEach(async () => {
    lab = await openLab();
    const { governance, owner, alice, world } = lab;
    governance.mint(owner, [{ to: alice.address, amount: 1000n }]);
    await world.settle();
    governance.handOver(owner);
    await world.settle();
  });
  afterEach(() => lab.close());

  const storage = async () => {
    const data = await lab.world.get(lab.governance.dao, 'get_dao_data');
    data.skip(2);
    const successPercentage = data.readNumber();
    const next = data.readBigNumber();
    return {
      successPercentage,
      next,
      name: loadSnakeText(data.readCell().beginParse()),
      plugins: data.readCellOpt(),
    };
  };
  /** The only holder proposes and votes: what the vote caused from the DAO on. */
  const carry = async (payload: { cell: Cell }): Promise<Step[]> => {
    const draft = { name: 'p', description: '', duration: 1000, payload: payload.cell };
    const proposal = lab.governance.propose(lab.bob, draft);
    await lab.world.settle();
    const { expiresAt } = await readProposal(lab.world, proposal.address);
    const steps = await lab.trace(() => lab.governance.vote(lab.alice, proposal.address, expiresAt));
    lab.world.wait(1000);
    return steps.slice(3);
  };
  const balanceOf = async (owner: Address) =>
    (await lab.world.get(lab.governance.walletOf(owner), 'get_wallet_data')).readBigNumber();
  const first = async (body: Cell, value = toNano('0.2')) => {
    const [step] = await lab.send(lab.bob, { to: lab.governance.dao, body, value });
    return step;
  };
  const exitOf = async (payload: { cell: Cell }) => (await carry(payload))[0]?.exitCode;

  it('takes coins with or without a comment, notifications and excesses; nothing else that it does not know', async () => {
    const notification = { queryId: 1n, amount: 1n, sender: null, forwardPayload: noForwardPayload };
    const accepted = [
      Cell.EMPTY,
      comment('hello'),
      bodyOf(excesses, { queryId: 1n }),
      bodyOf(jettonTransferNotification, notification),
    ];
    for (const body of accepted) {
      expect((await first(body))?.exitCode).to.equal(0);
    }
    expect((await first(beginCell().storeUint(1, 32).endCell()))?.exitCode).to.equal(0xffff);
  });

  it('makes proposals for a fee, numbered from 1', async () => {
    const draft = { queryId: 1n, name: 'n', description: '', duration: 10, payload: Cell.EMPTY };
    const body = bodyOf(createProposal, draft);
    expect((await first(body, toNano('0.029')))?.exitCode).to.equal(48);
    expect((await first(bodyOf(createProposal, { ...draft, duration: 0 })))?.exitCode).to.equal(85);
    expect((await first(bodyOf(createProposal, { ...draft, duration: 2 ** 30 })))?.exitCode).to.equal(85);
    expect((await storage()).next).to.equal(1n);
    expect((await first(body))?.exitCode).to.equal(0);
    expect((await storage()).next).to.equal(2n);
    expect((await storage()).name).to.equal('Lab');
  });

  it('executes what its own proposals ask alone', async () => {
    const forged = { queryId: 1n, proposalId: 1n, payload: payloads.percentage(1).cell };
    expect((await first(bodyOf(executeProposal, forged)))?.exitCode).to.equal(78);
  });

  it('sends coins, with a comment of any length', async () => {
    const words = 'a comment that fills more than one cell '.repeat(5);
    const to = plainActor('somebody').address;
    const [, paid] = await carry(payloads.sendTon(to, toNano(2), words));
    expect(paid?.account).to.equal(to.toRawString());
    expect(paid?.opcode).to.equal(0);
    expect(loadSnakeText(paid?.body ?? Cell.EMPTY.beginParse())).to.equal(words);
    const [, silent] = await carry(payloads.sendTon(to, toNano(1)));
    expect(silent?.transaction.inMessage?.body.equals(Cell.EMPTY)).to.equal(true);
  });

  it('comes to no harm where it has less than it shall send', async () => {
    const [failed, back] = await carry(payloads.sendTon(lab.bob.address, toNano(1_000_000)));
    expect([failed?.exitCode, failed?.aborted]).to.deep.equal([0, true]);
    expect([back?.bounced, back?.aborted]).to.deep.equal([true, false]);
  });

  it('mints, sends and burns GP', async () => {
    const { governance, bob } = lab;
    await carry(payloads.mintTo(governance.dao, 500n));
    expect(await balanceOf(governance.dao)).to.equal(500n);
    await lab.world.fund([plainActor('clock')], 1n);
    const vault = governance.walletOf(governance.dao);
    // The only voter holds two thirds now, which is still more than half.
    await carry(payloads.sendJetton(vault, bob.address, 200n));
    expect([await balanceOf(governance.dao), await balanceOf(bob.address)]).to.deep.equal([300n, 200n]);
    await carry(payloads.burnFrom(vault, 100n));
    expect(await balanceOf(governance.dao)).to.equal(200n);
    expect((await lab.world.get(governance.minter, 'get_jetton_data')).readBigNumber()).to.equal(1400n);
  });

  it('changes its percentage within 1 to 10000 basis points', async () => {
    expect(await exitOf(payloads.percentage(0))).to.equal(81);
    expect(await exitOf(payloads.percentage(10_001))).to.equal(81);
    expect(await exitOf(payloads.percentage(10_000))).to.equal(0);
    expect((await storage()).successPercentage).to.equal(10_000);
  });

  it('installs each plugin once and removes what is installed', async () => {
    const plugin = plainActor('plugin').address;
    const info = { index: 4, name: 'Plugin', crowdfundingMasterHash: 5n };
    expect(await exitOf(payloads.uninstall(plugin))).to.equal(83);
    expect(await exitOf(payloads.install(plugin, 'subaccount', info))).to.equal(0);
    expect(await exitOf(payloads.install(plugin, 'subaccount', info))).to.equal(82);
    const seqno = lab.world.chain.head?.master.seqno ?? 0;
    const { plugins } = loadDaoStorage(lab.dataOf(lab.governance.dao, seqno).beginParse());
    expect([...plugins.values()]).to.deep.equal([{ type: 3, ...info }]);
    expect(await exitOf(payloads.uninstall(plugin))).to.equal(0);
    expect((await storage()).plugins).to.equal(null);
  });

  it('starts campaigns from 6.1 on, on a crowdfunding plugin', async () => {
    const [plugin, other] = [plainActor('crowdfunding').address, plainActor('other').address];
    await carry(payloads.install(plugin, 'crowdfunding'));
    await carry(payloads.install(other, 'lp_manager'));
    expect((await lab.world.get(lab.governance.dao, 'get_version')).readNumber()).to.equal(600);
    expect(await exitOf(payloads.crowdfund(plugin))).to.equal(84);
    expect(await exitOf(payloads.upgradeTo(lab.governance.dao, codeOf('dao-6.1')))).to.equal(0);
    expect((await lab.world.get(lab.governance.dao, 'get_version')).readNumber()).to.equal(601);
    expect((await storage()).name).to.equal('Lab');
    expect(await exitOf(payloads.crowdfund(plainActor('nobody').address))).to.equal(83);
    expect(await exitOf(payloads.crowdfund(other))).to.equal(84);
    const [, started] = await carry(payloads.crowdfund(plugin));
    expect([started?.account, started?.opcode]).to.deep.equal([plugin.toRawString(), startCampaign.opcode]);
  });

  it('upgrades contracts that obey it and sends messages of any kind', async () => {
    const [, upgraded] = await carry(payloads.upgradeTo(lab.governance.minter, codeOf('gp-minter')));
    expect([upgraded?.opcode, upgraded?.exitCode]).to.deep.equal([upgrade.opcode, 0]);
    const [, sent] = await carry(payloads.custom(lab.bob.address, toNano('0.3'), comment('any')));
    expect(sent?.transaction.inMessage?.body.equals(comment('any'))).to.equal(true);
    await carry(payloads.newContent(lab.governance.minter, { name: 'Renamed' }));
    expect(await exitOf(payloads.text('words alone'))).to.equal(0);
  });

  it('throws on payloads that it does not know', async () => {
    expect(await exitOf(payloads.unheardOf())).to.equal(80);
    const longer = {
      cell: beginCell().storeSlice(payloads.percentage(1).cell.beginParse()).storeBit(true).endCell(),
    };
    expect(await exitOf(longer)).to.equal(9);
  });
});
