import { Address } from '@ton/core';
import type { Chain } from '../chain/chain.ts';
import type { Actor } from './actor.ts';
import { Campaign } from './campaign.ts';
import { councilOf, crowdOf } from './cast.ts';
import type { StoryFacts } from './facts.ts';
import { type Governance, hasVoted, readProposal } from './governance.ts';
import { mintTo, text } from './payloads.ts';
import { GP } from './plot.ts';
import { Random } from './random.ts';
import { resumeGovernance } from './resume.ts';

// Out of a hundred activities; the rest are transfers.
const VOTES = 28;
const PROPOSALS = 2;
const CONTRIBUTIONS = 4;
// How far back proposals are looked for that can still be voted on.
const RECENT = 3;
// Some of the crowd vote and do not trade: what they voted with is locked.
const VOTERS = 10;
// Seconds that a proposal lasts, at one activity a second. A wallet keeps 32 locks at most, so that proposals
// which come faster have to end sooner.
const DURATION = 1000;
const SHORTEST = 30;
// More at once than this would only pile up: the executor manages a few hundred transactions a second.
const MOST_AT_ONCE = 40;

/**
 * Life after the story: transfers, votes, contributions, and now and then a proposal that the council carries. All
 * that it knows it reads from the chain, so that it goes on after a restart as if nothing had been.
 */
export class Activity {
  readonly #chain: Chain;
  readonly #rate: number;
  readonly #seed: string;
  readonly #dao: StoryFacts['daos'][number];
  readonly #crowd: Actor[];
  readonly #council: Actor[];
  readonly #campaigns: Address[];
  #due = 0;

  constructor(chain: Chain, story: StoryFacts, rate: number) {
    const [dao] = story.daos;
    if (!dao) {
      throw new Error('a story without a DAO has no activity');
    }
    this.#chain = chain;
    this.#rate = rate;
    this.#seed = story.seed;
    this.#dao = dao;
    this.#crowd = crowdOf(dao.name, story.seed);
    this.#council = councilOf(dao.name, story.seed);
    this.#campaigns = story.campaigns
      .filter((campaign) => campaign.dao === dao.address && campaign.status === 'active')
      .filter(({ hasWhitelist }) => !hasWhitelist)
      .map(({ address }) => Address.parse(address));
  }

  /** Sends what became due in that many seconds; the next block takes it. */
  async act(seconds: number): Promise<void> {
    this.#due = Math.min(this.#due + seconds * this.#rate, MOST_AT_ONCE);
    if (this.#due < 1) {
      return;
    }
    const now = this.#chain.head?.utime ?? 0;
    const governance = await resumeGovernance(this.#chain, this.#dao, now);
    const next = governance.nextProposalId;
    const random = new Random(`${this.#seed} activity ${this.#chain.head?.master.rootHash}`);
    for (; this.#due >= 1; this.#due--) {
      await this.#one(governance, next, random);
    }
  }

  async #one(governance: Governance, next: bigint, random: Random): Promise<void> {
    const kind = random.below(100);
    if (kind < PROPOSALS) {
      this.#propose(governance, random);
    } else if (kind < PROPOSALS + VOTES) {
      await this.#vote(governance, next, random);
    } else if (kind < PROPOSALS + VOTES + CONTRIBUTIONS) {
      await this.#contribute(governance, random);
    } else {
      const amount = BigInt(1 + random.below(3 * 10 ** 9));
      const traders = this.#crowd.slice(VOTERS);
      governance.transfer(random.pick(traders), random.pick(traders).address, amount, undefined, 1n);
    }
  }

  #propose(governance: Governance, random: Random): void {
    const { address } = random.pick(this.#crowd);
    const payload = random.below(2) === 0 ? mintTo(address, 10n * GP) : text('The days go by.');
    governance.propose(random.pick(this.#crowd), {
      name: 'From day to day',
      description: 'What a harbour needs.',
      duration: Math.ceil(Math.max(DURATION / this.#rate, SHORTEST)),
      payload: payload.cell,
    });
  }

  /** A little to a campaign that takes it; nothing where the one that is picked does not. */
  async #contribute({ world }: Governance, random: Random): Promise<void> {
    if (this.#campaigns.length === 0) {
      return;
    }
    const from = random.pick(this.#crowd);
    const campaign = await Campaign.resume(world, random.pick(this.#campaigns), from);
    const { status, paused, params } = await campaign.state();
    if (status === 'active' && !paused && params.startTime <= world.now && world.now < params.endTime) {
      const unit = params.currency ? 10n ** 6n : 10n ** 8n;
      campaign.contribute(from, BigInt(1 + random.below(4)) * unit);
    }
  }

  async #vote(governance: Governance, next: bigint, random: Random): Promise<void> {
    const { address } = governance.proposal(next - 1n - BigInt(random.below(RECENT)));
    // The newest one may have its number already and its contract with the next block.
    if (!this.#chain.isDeployed(address)) {
      return;
    }
    const { world } = governance;
    const { initialised, executed, expiresAt } = await readProposal(world, address);
    const voter = random.pick([...this.#council, ...this.#crowd.slice(0, VOTERS)]);
    const isOpen = initialised && !executed && expiresAt > world.now;
    if (isOpen && !(await hasVoted(world, address, voter.address))) {
      governance.vote(voter, address, expiresAt);
    }
  }
}
