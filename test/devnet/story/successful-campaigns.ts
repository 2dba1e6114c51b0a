import type { Actor } from './actor.ts';
import { type Appeal, BILLION, type Fundraising, MILLION, type Part } from './fundraising.ts';
import { DAY, HOUR, YEARS } from './plot.ts';

/** At its cap at once, without vesting: claimed by most, and LP jettons change hands afterwards. */
export async function lamp(raising: Fundraising, { of, hero, crowd }: Part): Promise<void> {
  const { world } = raising;
  const appeal = await raising.start('A lamp for the lighthouse', {
    maxTotal: 400n * BILLION,
    minPerUser: BILLION / 4n,
  });
  const [hasty] = crowd;
  appeal.contribute(hasty, 1n);
  await raising.collect(appeal, [...of(0, 55), hero(6)], 4);
  await raising.collect(appeal, of(0, 20), 2);
  await raising.fill(appeal, crowd.slice(1));
  appeal.contribute(hasty, BILLION);
  appeal.claimFee(hasty);
  await world.settle();
  await raising.inWaves(of(0, 48), 12, (wave) => wave.forEach((owner) => appeal.claim(owner)));
  raising.handOut('claimable', 6, appeal);
  await exchange(raising, appeal, of(0, 48));
}

/** LP jettons pass on: in part, all of them, and to wallets that never contributed. */
async function exchange(raising: Fundraising, { lp }: Appeal, holders: Actor[]): Promise<void> {
  const buyers = [...holders.slice(0, 10), ...raising.plot.cast.council];
  await raising.inWaves(holders.slice(10, 40), 10, (wave) => {
    for (const seller of wave) {
      lp.transfer(seller, raising.random.pick(buyers).address, BILLION / 4n, { forwardTonAmount: 1n });
    }
  });
  for (const seller of holders.slice(40, 44)) {
    lp.transfer(seller, raising.random.pick(buyers).address, await lp.balanceOf(seller.address));
  }
  await raising.world.settle();
}

/** Over its minimum at its end, with a vesting of nine years, and its fee not claimed. */
export async function dock(raising: Fundraising, { of, one, hero, crowd }: Part): Promise<void> {
  const { world } = raising;
  const appeal = await raising.start('A dry dock', {
    minTotal: 50n * BILLION,
    maxTotal: 5_000n * BILLION,
    managementFee: 500,
    lastsDays: 12,
    vesting: { start: world.now + 20 * DAY, cliff: 10 * DAY, duration: YEARS, tgeBps: 1000 },
  });
  await raising.collect(appeal, [...of(40, 85), hero(7), hero(8), hero(11)], 6);
  const early = one(40);
  appeal.finalise(early);
  await raising.end(appeal, early);
  await raising.inWaves([...of(40, 75), hero(8), hero(11)], 10, (wave) =>
    wave.forEach((owner) => appeal.claim(owner)),
  );
  // Nothing is vested yet; then the first share; then a part of the rest, some days apart.
  appeal.claimVested(early);
  await world.settle();
  await raising.waitUntil((appeal.terms.vesting?.start ?? 0) + HOUR);
  await claimVested(raising, appeal, [...of(40, 60), hero(8)]);
  appeal.claimVested(early);
  await raising.waitUntil((appeal.terms.vesting?.start ?? 0) + 25 * DAY);
  await claimVested(raising, appeal, of(45, 65));
  for (const { address } of [...of(50, 52), hero(11)]) {
    appeal.release(address);
  }
  await world.settle();
  await claimVested(raising, appeal, of(50, 51));
  appeal.lp.transfer(early, crowd[0].address, BILLION / 10n);
  await world.settle();
  raising.handOut('claimable', 7, appeal);
  raising.handOut('vesting', 8, appeal);
  raising.handOut('vesting', 11, appeal);
}

/** In jettons, for those on a list, over its minimum at its end. */
export async function market(raising: Fundraising, { of, one, hero, crowd }: Part): Promise<void> {
  const appeal = await raising.start('A fish market', {
    currency: raising.currency.minter,
    minTotal: 100n * MILLION,
    managementFee: 300,
    hasWhitelist: true,
    lastsDays: 9,
    lpIndex: 1,
  });
  await appeal.list([...of(60, 100), hero(5)].map(({ address }) => address));
  appeal.contribute(crowd[0], 20n * MILLION);
  await raising.collect(appeal, of(60, 95), 50);
  await raising.end(appeal, crowd[0]);
  appeal.claimFee(crowd[0]);
  await raising.world.settle();
  await raising.inWaves(of(60, 85), 10, (wave) => wave.forEach((owner) => appeal.claim(owner)));
  appeal.refund(one(90));
  await raising.world.settle();
}

/** In jettons, at its cap at once; its vesting is over, and not all of it is claimed. */
export async function ferry(raising: Fundraising, { of, hero, crowd }: Part): Promise<void> {
  const { world } = raising;
  const appeal = await raising.start('A ferry', {
    currency: raising.currency.minter,
    maxTotal: 900n * MILLION,
    maxPerUser: 60n * MILLION,
    lpIndex: 1,
    vesting: { start: world.now + 6 * DAY, cliff: 2 * DAY, duration: 10 * DAY, tgeBps: 5000 },
  });
  await raising.collect(appeal, [...of(80, 110), hero(9)], 25);
  const [greedy, other] = crowd;
  appeal.contribute(greedy, 60n * MILLION);
  await world.settle();
  // With the first one more than a wallet may; more at once than it may; over the cap in jettons.
  appeal.contribute(greedy, MILLION);
  appeal.contribute(other, 61n * MILLION);
  await world.settle();
  await raising.fill(appeal, crowd.slice(2));
  await raising.inWaves([...of(80, 104), hero(9), greedy], 10, (wave) =>
    wave.forEach((owner) => appeal.claim(owner)),
  );
  await raising.waitUntil((appeal.terms.vesting?.start ?? 0) + HOUR);
  await claimVested(raising, appeal, of(80, 95));
  world.wait(7 * DAY);
  await claimVested(raising, appeal, [...of(85, 100), hero(9)]);
  world.wait(8 * DAY);
  await claimVested(raising, appeal, of(80, 90));
  raising.handOut('vesting', 9, appeal);
}

/** Whose vesting stays in its cliff, and one whose vesting has not begun. */
export async function longVestings(raising: Fundraising, { of, hero, crowd }: Part): Promise<void> {
  const { world } = raising;
  const loft = await raising.start('A net loft', {
    maxTotal: 60n * BILLION,
    vesting: { start: world.now, cliff: YEARS, duration: YEARS, tgeBps: 2000 },
  });
  await raising.collect(loft, [...of(180, 188), hero(10)], 3);
  loft.contribute(crowd[0], 60n * BILLION);
  await raising.fill(loft, crowd.slice(20));
  await raising.inWaves([...of(180, 186), hero(10)], 10, (wave) =>
    wave.forEach((owner) => loft.claim(owner)),
  );
  await claimVested(raising, loft, of(180, 183));
  raising.handOut('vesting', 10, loft);
  const breakwater = await raising.start('A breakwater', {
    currency: raising.currency.minter,
    maxTotal: 80n * MILLION,
    lpIndex: 1,
    vesting: { start: world.now + YEARS, cliff: 0, duration: 0, tgeBps: 0 },
  });
  await raising.collect(breakwater, [...of(186, 196), hero(1)], 3);
  await raising.fill(breakwater, crowd.slice(30));
  await raising.inWaves([...of(186, 192), hero(1)], 10, (wave) =>
    wave.forEach((owner) => breakwater.claim(owner)),
  );
  await claimVested(raising, breakwater, of(186, 187));
}

async function claimVested(raising: Fundraising, appeal: Appeal, owners: Actor[]): Promise<void> {
  await raising.inWaves(owners, 10, (wave) => wave.forEach((owner) => appeal.claimVested(owner)));
}
