import { toNano } from '@ton/core';
import { plainActor } from './actor.ts';
import * as payloads from './payloads.ts';
import { DAY, GP, type Plot, YEARS } from './plot.ts';

/** The smaller DAO, which stays at version 6.0: its owner mints before and its votes mint after. */
export async function foundOrchard(plot: Plot): Promise<void> {
  const { governance, cast, random } = plot;
  const { world } = governance;
  const owner = cast.heroes[1];
  if (!owner) {
    throw new Error('the orchard has no owner');
  }
  governance.mint(
    owner,
    cast.council.map(({ address }) => ({ to: address, amount: 40_000n * GP })),
  );
  governance.mint(
    owner,
    cast.crowd.map(({ address }) => ({ to: address, amount: BigInt(20 + random.below(900)) * GP })),
  );
  governance.mint(
    owner,
    cast.heroes.slice(0, 5).map(({ address }) => ({ to: address, amount: 1_000n * GP })),
  );
  await world.settle();
  world.wait(DAY);
  governance.handOver(owner);
  await world.settle();
}

/** Its years. */
export async function governOrchard(plot: Plot): Promise<void> {
  const { governance, cast } = plot;
  const { world } = governance;
  const to = cast.crowd[0]?.address ?? world.giver.address;
  await plot.carry('Plant in spring', payloads.text('Forty apple trees.'));
  await plot.carry('Ladders', payloads.sendTon(to, toNano(2)));
  await plot.carry('A share for the bees', payloads.mintTo(plainActor('orchard bees').address, 300n * GP));
  await plot.carry(
    'Liquidity',
    payloads.install(plainActor('orchard lp').address, 'lp_manager', { name: 'Old LP' }),
  );
  await plot.trade(30);
  const frost = await plot.propose('Fires against the frost', payloads.sendTon(to, toNano(4)), DAY);
  await plot.vote(plot.some(3), frost);
  world.wait(2 * DAY);
  await plot.carry('Campaign for a press', payloads.crowdfund(plainActor('orchard press').address));
  await plot.stall('A gate', payloads.text('A gate to the south.'));
  const cider = await plot.propose('Cider in autumn', payloads.text('A third of the harvest.'), YEARS);
  await plot.vote([...plot.some(4), ...cast.heroes.slice(0, 2)], cider);
  await plot.propose('Something else', payloads.unheardOf(), YEARS);
}
