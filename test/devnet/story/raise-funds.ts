import { toNano } from '@ton/core';
import { investorsOf } from './cast.ts';
import type { Fundraising, Part } from './fundraising.ts';
import { openCampaigns } from './open-campaigns.ts';
import { dock, ferry, lamp, longVestings, market } from './successful-campaigns.ts';
import { emergencies, failures } from './unsuccessful-campaigns.ts';

/** The campaigns of a DAO of version 6.1, one after the other: which succeed, which do not, and which are open. */
export async function raiseFunds(raising: Fundraising, seed: string): Promise<void> {
  const { world, plot } = raising;
  const { heroes, crowd, council } = plot.cast;
  const investors = investorsOf('Harbour', seed);
  const [issuer] = council;
  const [first, second, ...others] = crowd;
  if (!issuer || !first || !second) {
    throw new Error('there is nobody to raise funds from');
  }
  await world.fund(investors, toNano(200));
  await raising.installCrowdfunding(issuer, [...investors, ...heroes, ...crowd]);
  await raising.installLpManager('Harbour LP for jettons', 'HLPJ');
  const part: Part = {
    of: (from, to) => investors.slice(from, to),
    one: (index) => investors[index] ?? issuer,
    hero: (index) => {
      const hero = heroes[index];
      if (!hero) throw new RangeError(`there is no wallet ${index}`);
      return hero;
    },
    crowd: [first, second, ...others],
  };
  await lamp(raising, part);
  await dock(raising, part);
  await market(raising, part);
  await ferry(raising, part);
  await longVestings(raising, part);
  await failures(raising, part);
  await emergencies(raising, part);
  await openCampaigns(raising, part, seed);
}
