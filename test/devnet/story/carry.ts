import type { Cell } from '@ton/core';
import type { Chain } from '../chain/chain.ts';
import { councilOf } from './cast.ts';
import type { StoryFacts } from './facts.ts';
import { readProposal } from './governance.ts';
import { resumeGovernance } from './resume.ts';

const DURATION = 3600;

/** Proposes something to a DAO and has its council vote until it is executed. */
export async function carryProposal(
  chain: Chain,
  story: StoryFacts,
  address: string,
  payload: Cell,
  now: number,
): Promise<string> {
  const dao = story.daos.find((known) => known.address === address);
  const council = dao ? councilOf(dao.name, story.seed) : [];
  const [proposer] = council;
  if (!dao || !proposer) {
    throw new Error(`the story has no DAO ${address}`);
  }
  const governance = await resumeGovernance(chain, dao, now);
  const { world } = governance;
  const draft = { name: 'By the council', description: 'At once.', duration: DURATION, payload };
  const proposal = governance.propose(proposer, draft);
  await world.settle();
  await governance.voteAll(council, proposal);
  await world.settle();
  if (!(await readProposal(world, proposal.address)).executed) {
    throw new Error(`the council could not carry proposal ${proposal.id}`);
  }
  return proposal.address.toRawString();
}
