import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { acceptContribution } from '../../shared/contracts/crowdfunding/accept-contribution.ts';
import { castVote } from '../../shared/contracts/governance/cast-vote.ts';
import { executeProposal } from '../../shared/contracts/governance/execute-proposal.ts';
import { initProposal } from '../../shared/contracts/governance/init-proposal.ts';
import { mint } from '../../shared/contracts/governance/mint.ts';
import { jettonInternalTransfer } from '../../shared/contracts/jetton/internal-transfer.ts';
import { Chain } from './chain/chain.ts';
import { ChainStore } from './chain/chain-store.ts';
import { stepOf } from './lab.ts';
import { Activity } from './story/activity.ts';
import { tellStory } from './story/tell.ts';

describe('devnet: activity', () => {
  it('transfers, proposes, votes, contributes and mints, and succeeds at it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'devnet-activity-'));
    const store = new ChainStore(folder);
    const story = await tellStory(store);
    const chain = await Chain.open(store);
    const done = new Map<number, { succeeded: number; failed: number }>();
    chain.onCommit = ({ transactions }) => {
      for (const { account, stored } of transactions) {
        const { opcode = 0, exitCode } = stepOf(account, stored.boc);
        const count = done.get(opcode) ?? { succeeded: 0, failed: 0 };
        count[exitCode === 0 ? 'succeeded' : 'failed']++;
        done.set(opcode, count);
      }
    };
    const activity = new Activity(chain, story, 20);
    const start = 1_790_000_000;
    for (let block = 0; block < 100; block++) {
      await activity.act(0.4);
      await chain.produceBlock(start + Math.floor(block * 0.4));
    }
    for (const { opcode } of [
      acceptContribution,
      jettonInternalTransfer,
      castVote,
      initProposal,
      executeProposal,
      mint,
    ]) {
      const { succeeded, failed } = done.get(opcode) ?? { succeeded: 0, failed: 0 };
      expect(succeeded).to.be.greaterThan(0);
      expect(failed).to.be.lessThan(succeeded);
    }
    await store.close();
    await rm(folder, { recursive: true });
  });
});
