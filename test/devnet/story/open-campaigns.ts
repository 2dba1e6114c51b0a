import { plainActor } from './actor.ts';
import { BILLION, type Fundraising, MILLION, type Part } from './fundraising.ts';
import { DAY, YEARS } from './plot.ts';

// More than a page of whitelist: the API shows the first 1,000.
const GUESTS = 1_180;
const FOR_YEARS = YEARS / DAY;

/** Those that still collect when the story ends, and for years after it. */
export async function openCampaigns(raising: Fundraising, part: Part, seed: string): Promise<void> {
  await openToAll(raising, part);
  await forGuests(raising, part, seed);
  await standing(raising, part);
}

async function openToAll(raising: Fundraising, { of, hero, crowd }: Part): Promise<void> {
  const school = await raising.start('A school for sailors', {
    minTotal: 1_000n * BILLION,
    maxTotal: 1_000_000n * BILLION,
    minPerUser: BILLION / 10n,
    lastsDays: FOR_YEARS,
  });
  await raising.collect(school, [...of(0, 30), ...of(100, 150), ...crowd.slice(20, 150)], 5);
  const shed = await raising.start('Boat sheds', {
    currency: raising.currency.minter,
    minTotal: 5_000n * MILLION,
    maxPerUser: 50_000n * MILLION,
    lastsDays: FOR_YEARS,
    lpIndex: 1,
    vesting: { start: raising.world.now + YEARS, cliff: 30 * DAY, duration: YEARS, tgeBps: 1500 },
  });
  await raising.collect(shed, [...of(20, 60), hero(2)], 30);
  for (const index of [2, 3]) {
    raising.handOut('contributor', index);
  }
}

async function forGuests(raising: Fundraising, { of, one, hero, crowd }: Part, seed: string): Promise<void> {
  const pilots = await raising.start('A house of the pilots', {
    minTotal: 100n * BILLION,
    maxTotal: 50_000n * BILLION,
    maxPerUser: 2_000n * BILLION,
    hasWhitelist: true,
    lastsDays: FOR_YEARS,
  });
  // The last ones of the list are real wallets, so that membership beyond its first page matters.
  const guests = Array.from({ length: GUESTS }, (_, index) => plainActor(`${seed} guest ${index}`));
  await pilots.list([...guests, ...of(0, 19), hero(4)].map(({ address }) => address));
  pilots.contribute(crowd[0], 3n * BILLION);
  await raising.collect(pilots, of(0, 12), 8);
  raising.handOut('whitelisted', 4, pilots);
  const quay = await raising.start('A quay for members', {
    currency: raising.currency.minter,
    minTotal: 100n * MILLION,
    minPerUser: MILLION / 4n,
    maxPerUser: 5_000n * MILLION,
    hasWhitelist: true,
    lastsDays: FOR_YEARS,
    lpIndex: 1,
  });
  await quay.list([...of(30, 70), hero(5)].map(({ address }) => address));
  await raising.collect(quay, of(30, 55), 20);
  await quay.list(
    of(66, 70).map(({ address }) => address),
    false,
  );
  quay.contribute(one(66), 5n * MILLION);
  await raising.world.settle();
  raising.handOut('whitelisted', 5, quay);
}

async function standing(raising: Fundraising, { of, crowd }: Part): Promise<void> {
  const buoys = await raising.start('New buoys', {
    maxTotal: 700n * BILLION,
    lastsDays: FOR_YEARS,
  });
  await raising.collect(buoys, of(90, 110), 4);
  buoys.pause();
  await raising.world.settle();
  buoys.contribute(crowd[0], 2n * BILLION);
  await raising.world.settle();
  const canal = await raising.start('A canal', {
    currency: raising.currency.minter,
    startTime: raising.world.now + YEARS,
    lastsDays: 365,
    lpIndex: 1,
  });
  canal.contribute(crowd[0], 5n * MILLION);
  await raising.world.settle();
}
