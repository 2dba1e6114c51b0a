import { type Appeal, BILLION, type Fundraising, MILLION, type Part } from './fundraising.ts';
import { DAY, YEARS } from './plot.ts';

/** Two that do not reach their minimum, and the refunds of most who had contributed. */
export async function failures(raising: Fundraising, { of, one, crowd }: Part): Promise<void> {
  const { world } = raising;
  const mole = await raising.start('A second mole', { minTotal: 10_000n * BILLION, lastsDays: 8 });
  const mill = await raising.start('A tide mill', {
    currency: raising.currency.minter,
    minTotal: 90_000n * MILLION,
    maxPerUser: 40n * MILLION,
    lastsDays: 8,
    lpIndex: 1,
  });
  await raising.collect(mole, of(120, 160), 9);
  await raising.collect(mill, of(140, 175), 20);
  mill.contribute(crowd[0], 41n * MILLION);
  await raising.waitUntil(mill.terms.endTime);
  // Too late, also where it is not finalised yet.
  mole.contribute(crowd[0], 5n * BILLION);
  mill.contribute(crowd[0], 5n * MILLION);
  await world.settle();
  await raising.end(mole, crowd[0]);
  await raising.end(mill, crowd[1]);
  const refund = (appeal: Appeal, from: number, to: number) =>
    raising.inWaves(of(from, to), 10, (wave) => wave.forEach((owner) => appeal.refund(owner)));
  await refund(mole, 120, 150);
  await refund(mill, 140, 160);
  // A second time, and LP jettons of what has failed: refused.
  mole.refund(one(120));
  mole.claim(one(155));
  await world.settle();
}

/** One that is given up while it collects, and one after its success. */
export async function emergencies(raising: Fundraising, { of, one, crowd }: Part): Promise<void> {
  const { world } = raising;
  const barge = await raising.start('Raise the barge', { maxTotal: 9_000n * BILLION, lastsDays: 30 });
  await raising.collect(barge, of(150, 180), 9);
  barge.withdrawAll();
  await world.settle();
  barge.contribute(crowd[0], BILLION);
  barge.finalise(crowd[0]);
  await world.settle();

  const crane = await raising.start('An old crane', {
    currency: raising.currency.minter,
    maxTotal: 200n * MILLION,
    vesting: { start: world.now, cliff: 5 * DAY, duration: YEARS, tgeBps: 2000 },
  });
  await raising.collect(crane, of(170, 182), 9);
  await raising.fill(crane, crowd.slice(40));
  crane.claimFee(crowd[0]);
  await raising.inWaves(of(170, 178), 10, (wave) => wave.forEach((owner) => crane.claim(owner)));
  crane.claimVested(one(170));
  await world.settle();
  crane.withdrawAll();
  await world.settle();
  // Nobody can claim from it any more; what is in a vault stays its owner's, and can be released.
  crane.claim(one(178));
  crane.release(one(171).address);
  await world.settle();
  crane.claimVested(one(171));
  await world.settle();
}
