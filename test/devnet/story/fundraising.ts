import { type Address, beginCell, toNano } from '@ton/core';
import {
  type CampaignParams,
  storeCampaignParams,
} from '../../../shared/contracts/crowdfunding/campaign-params.ts';
import { initLpManager } from '../../../shared/contracts/crowdfunding/init-lp-manager.ts';
import { onChainContent } from '../../../shared/contracts/jetton/content.ts';
import { bodyOf } from '../../../shared/contracts/message-schema.ts';
import { codeOf } from '../contracts/codes.ts';
import type { Actor } from './actor.ts';
import { Campaign } from './campaign.ts';
import type { Hero } from './cast.ts';
import {
  campaignAddress,
  crowdfundingDeployment,
  feeManagerDeployment,
  lpManagerDeployment,
} from './crowdfunding-deployments.ts';
import { Jetton } from './jetton.ts';
import * as payloads from './payloads.ts';
import { DAY, HOUR, type Plot } from './plot.ts';
import { Random } from './random.ts';
import type { World } from './world.ts';

/** LP jettons and who is asked for them. */
interface LpMaster {
  manager: Address;
  jetton: Jetton;
}

/** A campaign of the story, with what its parameters say of it. */
export interface Appeal extends Campaign {
  lp: Jetton;
  terms: CampaignParams;
}

/** Who takes part. */
export interface Part {
  /** Investors by number. */
  of: (from: number, to: number) => Actor[];
  one: (index: number) => Actor;
  /** The wallet that is handed out under that number. */
  hero: (index: number) => Hero;
  /** With currency of their own, like all the others; never empty. */
  crowd: [Actor, Actor, ...Actor[]];
}

/** What a wallet that is handed out can do, and in which campaign. */
export interface Role {
  hero: number;
  role: 'contributor' | 'whitelisted' | 'claimable' | 'vesting';
  campaign: Address | undefined;
}

export type Terms = Partial<CampaignParams> & { lastsDays?: number; lpIndex?: number };

/** What a DAO needs to raise funds, as real contracts that its proposals install and use. */
export class Fundraising {
  readonly plot: Plot;
  readonly random: Random;
  readonly plugin: Address;
  readonly feeManager: Address;
  readonly appeals: Appeal[] = [];
  readonly roles: Role[] = [];
  readonly #masters: LpMaster[] = [];
  #currency: Jetton | undefined;

  constructor(plot: Plot, seed: string) {
    this.plot = plot;
    this.random = new Random(`${seed} fundraising`);
    const { dao } = plot.governance;
    this.plugin = crowdfundingDeployment(dao).address;
    this.feeManager = feeManagerDeployment(dao).address;
  }

  /** Who asks for what the operator of each campaign alone may ask. */
  get operator(): Actor {
    const [operator] = this.plot.cast.heroes;
    if (!operator) throw new Error('campaigns need an operator');
    return operator;
  }

  get currency(): Jetton {
    if (!this.#currency) throw new Error('there is no currency yet');
    return this.#currency;
  }

  get world(): World {
    return this.plot.governance.world;
  }

  handOut(role: Role['role'], hero: number, campaign?: Campaign): void {
    this.roles.push({ hero, role, campaign: campaign?.address });
  }

  master(index: number): LpMaster {
    const master = this.#masters[index];
    if (!master) throw new RangeError(`there is no LP manager ${index}`);
    return master;
  }

  /** Deploys an LP manager with its minter and has the DAO install it. */
  async installLpManager(title: string, symbol: string): Promise<void> {
    const { governance } = this.plot;
    const index = this.#masters.length;
    const { address, init } = lpManagerDeployment(governance.dao, index, this.plugin);
    const content = onChainContent({ name: title, symbol, decimals: '9' });
    const body = bodyOf(initLpManager, { queryId: 1n, content });
    governance.world.send(this.operator, { to: address, value: toNano('1'), init, body });
    await governance.world.settle();
    const data = await governance.world.get(address, 'get_lp_manager_data');
    data.skip(3);
    this.#masters.push({ manager: address, jetton: new Jetton(governance.world, data.readAddress()) });
    await this.plot.carry(title, payloads.install(address, 'lp_manager', { index, name: title }));
  }

  /** The plugin, installed by proposal; the fee manager; the currency, which its issuer hands out. */
  async installCrowdfunding(issuer: Actor, holders: Actor[]): Promise<void> {
    const { world, dao } = this.plot.governance;
    const [plugin, fees] = [crowdfundingDeployment(dao), feeManagerDeployment(dao)];
    world.send(this.operator, { to: plugin.address, value: toNano('1'), init: plugin.init });
    world.send(this.operator, { to: fees.address, value: toNano('0.5'), init: fees.init });
    // Each campaign costs the DAO a coin.
    world.send(this.operator, { to: dao, value: toNano('60') });
    await world.settle();
    await this.plot.carry(
      'Crowdfunding',
      payloads.install(plugin.address, 'crowdfunding', {
        name: 'Crowdfunding',
        crowdfundingMasterHash: BigInt(`0x${codeOf('campaign').hash().toString('hex')}`),
      }),
    );
    this.#currency = await Jetton.deploy(world, issuer, onChainContent(currencyMetadata));
    await this.inWaves(holders, 40, (wave) =>
      this.currency.mint(
        issuer,
        wave.map(({ address }) => address),
        100_000n * MILLION,
      ),
    );
  }

  /** A campaign is proposed, carried, and begins. */
  async start(name: string, terms: Terms): Promise<Appeal> {
    const { governance } = this.plot;
    const params = this.#termsOf(name, terms);
    await this.plot.carry(name, this.#proposalOf(params));
    const address = campaignAddress(this.plugin, BigInt(this.appeals.length + 1));
    const currency = params.currency && this.currency;
    const campaign = new Campaign(governance.world, address, this.operator, currency);
    const appeal = Object.assign(campaign, { lp: this.master(terms.lpIndex ?? 0).jetton, terms: params });
    this.appeals.push(appeal);
    return appeal;
  }

  /** The payload that starts such a campaign. */
  proposal(name: string, terms: Terms): payloads.Payload {
    return this.#proposalOf(this.#termsOf(name, terms));
  }

  #proposalOf(params: CampaignParams): payloads.Payload {
    const cell = beginCell().store(storeCampaignParams(params)).endCell();
    return payloads.crowdfund(this.plugin, cell);
  }

  #termsOf(name: string, { lastsDays = 60, lpIndex = 0, ...terms }: Terms): CampaignParams {
    const { governance } = this.plot;
    const { manager, jetton } = this.master(lpIndex);
    const startTime = terms.startTime ?? governance.world.now;
    return {
      operator: this.operator.address,
      lpManager: manager,
      currency: null,
      minTotal: 0n,
      maxTotal: 0n,
      minPerUser: 0n,
      maxPerUser: 0n,
      lpPrice: terms.currency ? 1_250_000n : 50_000_000n,
      startTime,
      endTime: startTime + lastsDays * DAY,
      managementFee: 250,
      hasWhitelist: false,
      lpMinter: jetton.minter,
      destination: governance.dao,
      feeManager: this.feeManager,
      name,
      description: `${name}: what the harbour needs, paid by those who want it.`,
      vesting: null,
      ...terms,
    };
  }

  /** Contributions of these wallets, each between a quarter and `most` whole units of the currency. */
  async collect(appeal: Appeal, from: Actor[], most: number): Promise<void> {
    const unit = appeal.currency ? MILLION : BILLION;
    await this.inWaves(from, 15, (wave) => {
      for (const actor of wave) {
        appeal.contribute(actor, (BigInt(1 + this.random.below(most * 4)) * unit) / 4n);
      }
    });
  }

  /** Fills it up to its cap, in as many contributions as there are wallets, or as it takes. */
  async fill(appeal: Appeal, from: Actor[]): Promise<void> {
    const { maxTotal, maxPerUser } = appeal.terms;
    for (const [index, actor] of from.entries()) {
      const left = maxTotal - (await appeal.state()).total;
      if (left === 0n) return;
      const share = index < 5 ? left / 3n : left;
      appeal.contribute(actor, maxPerUser > 0n && share > maxPerUser ? maxPerUser : share);
      await this.world.settle();
    }
    throw new Error(`"${appeal.terms.name}" did not reach its cap`);
  }

  /** Waits for its end and has somebody finalise it. */
  async end(appeal: Appeal, from: Actor): Promise<void> {
    await this.waitUntil(appeal.terms.endTime);
    appeal.finalise(from);
    await this.world.settle();
  }

  async waitUntil(time: number): Promise<void> {
    await this.world.settle();
    this.world.wait(Math.max(time - this.world.now, 0));
  }

  /** Does something with all of them, some at a time, an hour apart. */
  async inWaves<T>(all: T[], size: number, act: (wave: T[]) => void): Promise<void> {
    const { world } = this.plot.governance;
    for (let at = 0; at < all.length; at += size) {
      act(all.slice(at, at + size));
      await world.settle();
      world.wait(HOUR);
    }
  }
}

export const MILLION = 10n ** 6n;
export const BILLION = 10n ** 9n;

const currencyMetadata = {
  name: 'Harbour Dollar',
  description: 'The currency of the harbour.',
  symbol: 'HUSD',
  decimals: '6',
  image: 'https://harbour.example.invalid/husd.png',
} as const;
