import { type Address, beginCell, Cell, Dictionary, toNano } from '@ton/core';
import { expect } from 'chai';
import { castVote } from '../../shared/contracts/governance/cast-vote.ts';
import { executeProposal } from '../../shared/contracts/governance/execute-proposal.ts';
import { initProposal } from '../../shared/contracts/governance/init-proposal.ts';
import { provideVotingData } from '../../shared/contracts/governance/provide-voting-data.ts';
import { retryInit } from '../../shared/contracts/governance/retry-init.ts';
import { takeVotingData } from '../../shared/contracts/governance/take-voting-data.ts';
import { excesses } from '../../shared/contracts/jetton/excesses.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { loadSnakeText } from '../../shared/contracts/snake-text.ts';
import { codeOf } from './contracts/codes.ts';
import { type Lab, openLab } from './lab.ts';
import type { Actor } from './story/actor.ts';
import { readProposal, VALUE_OF_A_STALLED_PROPOSAL } from './story/governance.ts';
import { text } from './story/payloads.ts';

describe('devnet: proposal', () => {
  let lab: Lab;
  beforeEach(async () => {
    lab = await openLab();
    lab.governance.mint(lab.owner, [
      { to: lab.alice.address, amount: 400n },
      { to: lab.bob.address, amount: 101n },
      { to: lab.owner.address, amount: 500n },
    ]);
    await lab.world.settle();
  });
  afterEach(() => lab.close());

  const draft = { name: 'Ночь', description: 'long '.repeat(200), duration: 1000, payload: text('x').cell };
  const propose = async (value = toNano('0.2')) => {
    let address: Address | undefined;
    const steps = await lab.trace(() => {
      ({ address } = lab.governance.propose(lab.alice, { ...draft, value }));
    });
    if (!address) {
      throw new Error('no proposal');
    }
    return { address, steps, ...(await readProposal(lab.world, address)) };
  };
  const vote = (from: Actor, proposal: Address, expiresAt: number) =>
    lab.trace(() => lab.governance.vote(from, proposal, expiresAt));
  const first = async (from: Actor, to: Address, body: Cell, value = toNano('0.2')) => {
    const [step] = await lab.send(from, { to, body, value });
    return step;
  };

  it('is deployed by its DAO, asks the minter, and measures itself by the supply of that moment', async () => {
    const { address, steps } = await propose();
    expect(steps.slice(2).map(({ opcode, exitCode }) => [opcode, exitCode])).to.deep.equal([
      [initProposal.opcode, 0],
      [provideVotingData.opcode, 0],
      [takeVotingData.opcode, 0],
    ]);
    lab.governance.mint(lab.owner, [{ to: lab.bob.address, amount: 5000n }]);
    await lab.world.settle();
    const data = await lab.world.get(address, 'get_proposal_data');
    expect([data.readBoolean(), data.readBoolean(), data.readNumber()]).to.deep.equal([true, false, 1]);
    expect(data.readAddress().equals(lab.governance.dao)).to.equal(true);
    expect(data.readAddress().equals(lab.governance.minter)).to.equal(true);
    expect(data.readAddress().equals(lab.alice.address)).to.equal(true);
    // Half of 1001, rounded up.
    const numbers = Array.from({ length: 4 }, () => data.readBigNumber());
    expect(numbers).to.deep.equal([1001n, 5000n, 501n, 0n]);
    const [createdAt, expiresAt] = [data.readNumber(), data.readNumber()];
    expect(expiresAt - createdAt).to.equal(1000);
    expect(loadSnakeText(data.readCell().beginParse())).to.equal(draft.name);
    expect(loadSnakeText(data.readCell().beginParse())).to.equal(draft.description);
    expect(data.readCell().equals(draft.payload)).to.equal(true);
  });

  it('stays "mine" with little value until somebody pays for the question', async () => {
    const { address, initialised, steps } = await propose(VALUE_OF_A_STALLED_PROPOSAL);
    expect(initialised).to.equal(false);
    expect(steps.at(-1)?.opcode).to.equal(initProposal.opcode);
    expect(steps.at(-1)?.exitCode).to.equal(0);
    const early = await vote(lab.alice, address, 2 ** 31);
    expect(early.map(({ exitCode, bounced }) => [exitCode, bounced]).slice(2)).to.deep.equal([
      [64, false],
      [0, true],
    ]);
    const retry = bodyOf(retryInit, { queryId: 1n });
    expect((await first(lab.bob, address, retry, toNano('0.019')))?.exitCode).to.equal(48);
    expect((await first(lab.bob, address, retry))?.exitCode).to.equal(0);
    expect((await readProposal(lab.world, address)).initialised).to.equal(true);
    expect((await first(lab.bob, address, retry))?.exitCode).to.equal(62);
  });

  it('listens to its DAO, its minter and GP wallets alone', async () => {
    const { address, expiresAt } = await propose();
    const init = { ...draft, queryId: 1n, initiator: lab.bob.address, jettonMinter: lab.bob.address };
    const body = bodyOf(initProposal, { ...init, successPercentage: 1 });
    expect((await first(lab.bob, address, body))?.exitCode).to.equal(77);
    const data = bodyOf(takeVotingData, { queryId: 1n, totalSupply: 1n, walletCode: codeOf('gp-wallet') });
    expect((await first(lab.bob, address, data))?.exitCode).to.equal(76);
    const ballot = bodyOf(castVote, { queryId: 1n, voter: lab.bob.address, weight: 10_000n, expiresAt });
    expect((await first(lab.bob, address, ballot))?.exitCode).to.equal(75);
    const nothing = bodyOf(castVote, { queryId: 1n, voter: lab.bob.address, weight: 0n, expiresAt });
    expect((await first(lab.bob, address, nothing))?.exitCode).to.equal(68);
    expect((await first(lab.bob, address, beginCell().storeUint(1, 32).endCell()))?.exitCode).to.equal(
      0xffff,
    );
  });

  it('counts votes, tells who cast them, and is executed by the one that reaches the amount', async () => {
    const { address, expiresAt } = await propose();
    const before = await vote(lab.alice, address, expiresAt);
    expect(before.at(-1)?.opcode).to.equal(excesses.opcode);
    expect(before.at(-1)?.account).to.equal(lab.alice.address.toRawString());
    expect((await readProposal(lab.world, address)).executed).to.equal(false);

    const deciding = await vote(lab.bob, address, expiresAt);
    const executed = deciding.at(-1);
    expect([executed?.account, executed?.opcode, executed?.exitCode]).to.deep.equal([
      lab.governance.dao.toRawString(),
      executeProposal.opcode,
      0,
    ]);
    const state = await readProposal(lab.world, address);
    expect([state.executed, state.currentAmount, state.successAmount]).to.deep.equal([true, 501n, 501n]);

    const late = await vote(lab.owner, address, expiresAt);
    expect(late.map(({ exitCode, bounced }) => [exitCode, bounced]).slice(2)).to.deep.equal([
      [65, false],
      [0, true],
    ]);
    const voter = [{ type: 'slice' as const, cell: beginCell().storeAddress(lab.bob.address).endCell() }];
    const found = await lab.world.get(address, 'get_vote', voter);
    expect([found.readBoolean(), found.readBigNumber()]).to.deep.equal([true, 101n]);
    const none = await lab.world.get(address, 'get_vote', [
      { type: 'slice', cell: beginCell().storeAddress(lab.owner.address).endCell() },
    ]);
    expect(none.readBoolean()).to.equal(false);
    const votes = Dictionary.loadDirect(
      Dictionary.Keys.Address(),
      { parse: (slice) => slice.loadCoins(), serialize: () => {} },
      (await lab.world.get(address, 'get_votes')).readCell(),
    );
    expect(votes.get(lab.alice.address)).to.equal(400n);
    expect(votes.size).to.equal(2);
  });

  it('refuses votes with another expiry, and all of them after its own', async () => {
    const { address, expiresAt } = await propose();
    expect((await vote(lab.alice, address, expiresAt + 1))[2]?.exitCode).to.equal(67);
    lab.world.wait(1000);
    expect((await vote(lab.alice, address, expiresAt))[2]?.exitCode).to.equal(66);
  });
});
