import { Cell, toNano } from '@ton/core';
import { offChainContent, onChainContent } from '../../../shared/contracts/jetton/content.ts';
import { loadWalletStorage } from '../../../shared/contracts/jetton/wallet-storage.ts';
import type { Chain } from '../chain/chain.ts';
import type { ChainStore } from '../chain/chain-store.ts';
import { codeOf } from '../contracts/codes.ts';
import { type Cast, councilOf, crowdOf, type Hero, heroes } from './cast.ts';
import type { StoryFacts } from './facts.ts';
import { Fundraising } from './fundraising.ts';
import { Governance, readProposal } from './governance.ts';
import { foundHarbour, governHarbour, harbourMetadata, openHarbour } from './harbour.ts';
import { foundOrchard, governOrchard } from './orchard.ts';
import { Plot } from './plot.ts';
import { raiseFunds } from './raise-funds.ts';
import { Random } from './random.ts';
import { World } from './world.ts';

/** The story that is shipped recorded. */
export const DEFAULT_SEED = 'lighthouse';

// 10 January 2025: the story takes a few months and must end in the past.
const BEGINNING = Date.UTC(2025, 0, 10) / 1000;

/** Plays the story on an empty chain: the same seed gives the same blocks. */
export async function playStory(chain: Chain, store: ChainStore, seed: string): Promise<StoryFacts> {
  const world = World.begin(chain, BEGINNING);
  const players = await heroes();
  const [first, second] = players;
  if (!first || !second) {
    throw new Error('no wallets to hand out');
  }
  const harbourCast = castOf('Harbour', seed, players);
  const orchardCast = castOf('Orchard', seed, players);
  await world.fund(players, toNano(1000));
  await world.fund([...harbourCast.council, ...harbourCast.crowd], toNano(100));
  await world.fund([...orchardCast.council, ...orchardCast.crowd], toNano(100));

  const orchard = await Governance.deploy(
    world,
    second,
    'Orchard',
    offChainContent('https://orchard.example.invalid/gp.json'),
  );
  const orchardPlot = new Plot(orchard, orchardCast, new Random(`${seed} orchard plot`));
  await foundOrchard(orchardPlot);
  const harbour = await Governance.deploy(world, first, 'Harbour', onChainContent(harbourMetadata));
  const harbourPlot = new Plot(harbour, harbourCast, new Random(`${seed} harbour plot`));
  await foundHarbour(harbourPlot);
  const raising = new Fundraising(harbourPlot, seed);
  await governHarbour(harbourPlot, raising);
  await governOrchard(orchardPlot);
  await raiseFunds(raising, seed);
  await openHarbour(harbourPlot, raising);

  const daos = [
    { version: '6.1' as const, name: 'Harbour', owner: first, plot: harbourPlot },
    { version: '6.0' as const, name: 'Orchard', owner: second, plot: orchardPlot },
  ];
  const holdersByDao = countHolders(
    store,
    daos.map(({ plot }) => plot.governance),
  );
  return {
    seed,
    daos: daos.map(({ version, name, owner, plot }) => ({
      address: plot.governance.dao.toRawString(),
      version,
      name,
      owner: owner.address.toRawString(),
      minter: plot.governance.minter.toRawString(),
    })),
    proposals: (await Promise.all(daos.map(({ plot }) => proposalsOf(world, plot)))).flat(),
    campaigns: await campaignsOf(raising),
    wallets: players.map((hero, index) => walletFacts(hero, index, raising)),
    holders: Object.values(holdersByDao).reduce((sum, count) => sum + count, 0),
    holdersByDao,
  };
}

function castOf(dao: string, seed: string, players: Hero[]): Cast {
  return { council: councilOf(dao, seed), crowd: crowdOf(dao, seed), heroes: players };
}

async function proposalsOf(world: World, { governance, told }: Plot): Promise<StoryFacts['proposals']> {
  const facts = [];
  for (const { id, address, type } of told) {
    const state = await readProposal(world, address);
    const ended = state.expiresAt <= world.now;
    const open = type === 'unknown' ? 'unknown' : 'active';
    const undecided = ended ? 'rejected' : open;
    const status = state.executed ? 'executed' : state.initialised ? undecided : 'mine';
    facts.push({
      address: address.toRawString(),
      dao: governance.dao.toRawString(),
      id: id.toString(),
      type,
      status,
    });
  }
  return facts;
}

async function campaignsOf({ appeals, plot }: Fundraising): Promise<StoryFacts['campaigns']> {
  const facts: StoryFacts['campaigns'] = [];
  for (const appeal of appeals) {
    const { status, params } = await appeal.state();
    facts.push({
      address: appeal.address.toRawString(),
      dao: plot.governance.dao.toRawString(),
      currency: params.currency ? 'jetton' : 'native',
      status,
      hasVesting: params.vesting !== null,
      hasWhitelist: params.hasWhitelist,
    });
  }
  return facts;
}

function walletFacts(
  { address, mnemonic, version }: Hero,
  index: number,
  { roles: played }: Fundraising,
): StoryFacts['wallets'][number] {
  const own = played.filter(({ hero }) => hero === index);
  const campaign = own.find((role) => role.campaign)?.campaign?.toRawString();
  const roles = ['holder', ...(index < 2 ? ['owner'] : []), ...own.map(({ role }) => role)];
  return { address: address.toRawString(), mnemonic, version, roles, ...(campaign && { campaign }) };
}

function countHolders(store: ChainStore, daos: Governance[]): Record<string, number> {
  const counts = new Map(daos.map(({ minter }) => [minter.toRawString(), 0]));
  const walletCode = codeOf('gp-wallet').hash().toString('hex');
  for (const state of store.latestStates()) {
    if (state.codeHash === walletCode && state.data) {
      const { balance, minter } = loadWalletStorage(
        Cell.fromBoc(Buffer.from(state.data))[0]?.beginParse() ?? fail(),
      );
      const key = minter.toRawString();
      counts.set(key, (counts.get(key) ?? 0) + (balance > 0n ? 1 : 0));
    }
  }
  return Object.fromEntries(
    daos.map(({ dao, minter }) => [dao.toRawString(), counts.get(minter.toRawString()) ?? 0]),
  );
}

function fail(): never {
  throw new Error('a wallet without data');
}
