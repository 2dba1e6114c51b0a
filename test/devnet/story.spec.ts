import { Cell, loadTransaction } from '@ton/core';
import { expect } from 'chai';
import { codeOf } from './contracts/codes.ts';
import { recordStory } from './record.ts';
import { campaignStatuses } from './story/campaign-state.ts';
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

// Half a minute for some ten thousand transactions, on a machine of its own.
const PLAYING = 600_000;

/** In how many campaigns each wallet has a helper that holds something. */
function sharesOf({ commits }: Recording): Map<string, number> {
  const code = codeOf('helper').hash().toString('hex');
  const helpers = new Map<string, string>();
  for (const { account, state } of commits.flatMap(({ states }) => states)) {
    if (state.codeHash !== code || !state.data) continue;
    const slice = (Cell.fromBoc(Buffer.from(state.data))[0] ?? Cell.EMPTY).beginParse();
    slice.loadAddress();
    const owner = slice.loadAddress().toRawString();
    const amount = slice.loadMaybeRef()?.beginParse().loadCoins() ?? 0n;
    if (amount > 0n) helpers.set(account, owner);
  }
  const counts = new Map<string, number>();
  for (const owner of helpers.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return counts;
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
  }).timeout(PLAYING);

  it('is another one with another seed', async () => {
    const other = await recordStory('another');
    expect(seals(other).at(-1)).to.not.equal(seals(recorded).at(-1));
    expect(other.facts.proposals.map(({ type, status }) => [type, status])).to.deep.equal(
      recorded.facts.proposals.map(({ type, status }) => [type, status]),
    );
  }).timeout(PLAYING);

  it('has each type and each status of a proposal, and 200 holders', () => {
    const { proposals, holders, daos, wallets } = recorded.facts;
    expect(new Set(proposals.map(({ type }) => type))).to.deep.equal(new Set(proposalActionTypes));
    expect(new Set(proposals.map(({ status }) => status))).to.deep.equal(new Set(statuses));
    expect(holders).to.be.at.least(200);
    expect(daos.map(({ version }) => version)).to.have.members(['6.0', '6.1']);
    expect(wallets).to.have.length(12);
  });

  it('has campaigns of both currencies, in every status, with and without vesting and whitelist', () => {
    const { campaigns, daos } = recorded.facts;
    const [harbour] = daos;
    expect(new Set(campaigns.map(({ dao }) => dao))).to.deep.equal(new Set([harbour?.address]));
    for (const currency of ['native', 'jetton']) {
      const own = campaigns.filter((campaign) => campaign.currency === currency);
      expect(new Set(own.map(({ status }) => status))).to.deep.equal(new Set(campaignStatuses));
      expect(new Set(own.map(({ hasVesting }) => hasVesting)).size).to.equal(2);
      expect(new Set(own.map(({ hasWhitelist }) => hasWhitelist)).size).to.equal(2);
    }
  });

  it('has 300 participants, some in several campaigns', () => {
    const shares = sharesOf(recorded);
    expect(shares.size).to.be.at.least(300);
    expect([...shares.values()].filter((campaigns) => campaigns > 1).length).to.be.at.least(50);
  });

  it('hands out wallets for every role, each of them of both kinds', () => {
    const { wallets, campaigns } = recorded.facts;
    const playing = (role: string) => wallets.filter(({ roles }) => roles.includes(role));
    for (const role of ['contributor', 'whitelisted', 'claimable', 'vesting']) {
      expect(new Set(playing(role).map(({ version }) => version))).to.deep.equal(new Set(['v4', 'v5r1']));
    }
    for (const role of ['whitelisted', 'claimable', 'vesting']) {
      for (const { campaign } of playing(role)) {
        expect(campaigns.map(({ address }) => address)).to.include(campaign);
      }
    }
    const vestingOf = (role: string) =>
      playing(role).map(({ campaign }) => campaigns.find(({ address }) => address === campaign)?.hasVesting);
    expect(vestingOf('claimable')).to.have.members([true, false]);
    expect(new Set(vestingOf('vesting'))).to.deep.equal(new Set([true]));
  });

  it('has what fails on a chain: refused, failed in the action phase, and bounced', () => {
    const outcomes = new Set(
      recorded.commits.flatMap(({ transactions }) => transactions.map(({ stored }) => outcomeOf(stored.boc))),
    );
    // In campaigns: not active, paused, ended, below the least, over the cap, not listed; not successful, not
    // failed, refunded already, nothing vested.
    const refusals = [105, 106, 108, 109, 111, 112, 117, 118, 120, 121];
    expect([...outcomes]).to.include.members(refusals.map((code) => `0:${code}`));
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
