import { Cell, loadTransaction } from '@ton/core';
import { expect } from 'chai';
import { recordStory } from './record.ts';
import { proposalActionTypes, statuses } from './story/expected.ts';
import { type Recording, readRecording, recordingFile } from './story/recording.ts';
import { DEFAULT_SEED } from './story/story.ts';

/** `action result:exit code` of a transaction, or that its message had bounced. */
function outcomeOf(boc: Uint8Array): string {
  const [cell] = Cell.fromBoc(Buffer.from(boc));
  const { description, inMessage } = loadTransaction((cell ?? Cell.EMPTY).beginParse());
  if (inMessage?.info.type === 'internal' && inMessage.info.bounced) {
    return 'bounced';
  }
  if (description.type !== 'generic' || description.computePhase.type !== 'vm') {
    return 'nothing';
  }
  return `${description.actionPhase?.resultCode ?? 0}:${description.computePhase.exitCode}`;
}

describe('devnet: story', () => {
  let recorded: Recording;
  before(async () => {
    recorded = await readRecording(recordingFile);
  });

  const seals = ({ commits }: Recording) => commits.map(({ block }) => block.master.rootHash);

  it('is recorded as it plays (npx tsx test/devnet/record.ts)', async () => {
    const played = await recordStory(DEFAULT_SEED);
    expect(seals(played)).to.deep.equal(seals(recorded));
    expect(played.facts).to.deep.equal(recorded.facts);
  });

  it('is another one with another seed', async () => {
    const other = await recordStory('another');
    expect(seals(other).at(-1)).to.not.equal(seals(recorded).at(-1));
    expect(other.facts.proposals.map(({ type, status }) => [type, status])).to.deep.equal(
      recorded.facts.proposals.map(({ type, status }) => [type, status]),
    );
  });

  it('has each type and each status of a proposal, and 200 holders', () => {
    const { proposals, holders, daos, wallets } = recorded.facts;
    expect(new Set(proposals.map(({ type }) => type))).to.deep.equal(new Set(proposalActionTypes));
    expect(new Set(proposals.map(({ status }) => status))).to.deep.equal(new Set(statuses));
    expect(holders).to.be.at.least(200);
    expect(daos.map(({ version }) => version)).to.have.members(['6.0', '6.1']);
    expect(wallets).to.have.length(12);
  });

  it('has what fails on a chain: refused, failed in the action phase, and bounced', () => {
    const outcomes = new Set(
      recorded.commits.flatMap(({ transactions }) => transactions.map(({ stored }) => outcomeOf(stored.boc))),
    );
    // Over the balance, out of gas, voted already, not initialised, executed, expired, empty, unknown, coins missing.
    const expected = [
      '0:47',
      '0:48',
      '0:60',
      '0:64',
      '0:65',
      '0:66',
      '0:68',
      '0:80',
      '0:83',
      '0:84',
      '37:0',
      'bounced',
    ];
    expect([...outcomes]).to.include.members(expected);
  });

  it('spreads what one message causes over several blocks, in the order of a liteserver', () => {
    const blocks = recorded.commits.map(({ block }) => block);
    for (const [index, { master, shard, transactions }] of blocks.entries()) {
      expect([master.seqno, shard.seqno]).to.deep.equal([index + 1, index + 1]);
      const ordered = transactions.toSorted(
        (a, b) => a.account.localeCompare(b.account) || Number(BigInt(a.lt) - BigInt(b.lt)),
      );
      expect(transactions).to.deep.equal(ordered);
    }
    const queued = recorded.commits.filter(({ queue }) => queue.length > 0);
    expect(queued.length).to.be.greaterThan(recorded.commits.length / 2);
  });
});
