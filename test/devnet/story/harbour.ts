import { type Address, beginCell, comment, toNano } from '@ton/core';
import { codeOf } from '../contracts/codes.ts';
import { plainActor } from './actor.ts';
import { subaccountDeployment } from './crowdfunding-deployments.ts';
import type { Fundraising } from './fundraising.ts';
import * as payloads from './payloads.ts';
import { DAY, GP, HOUR, type Plot, YEARS } from './plot.ts';

/** The founding: GP minted by the owner, the minter handed to the DAO, GP spread by transfers. */
export async function foundHarbour(plot: Plot): Promise<void> {
  const { governance, cast, random } = plot;
  const { world } = governance;
  const [owner] = cast.heroes;
  if (!owner) {
    throw new Error('the harbour has no owner');
  }
  const shares = [
    ...cast.council.map((to) => [to, 100_000n] as const),
    ...cast.heroes.map((to) => [to, 2_500n] as const),
  ];
  governance.mint(
    owner,
    shares.map(([to, amount]) => ({ to: to.address, amount: amount * GP })),
  );
  await world.settle();
  const early = cast.crowd.slice(0, 60);
  governance.mint(
    owner,
    early.map(({ address }) => ({ to: address, amount: BigInt(50 + random.below(2000)) * GP })),
  );
  await world.settle();
  world.wait(DAY);
  governance.handOver(owner);
  await world.settle();
  // What the owner tries afterwards is refused: the minter obeys the DAO alone.
  governance.mint(owner, [{ to: owner.address, amount: GP }]);
  await world.settle();
  world.wait(DAY);
  for (const [index, { address }] of cast.crowd.slice(60).entries()) {
    const seller = cast.council[index % cast.council.length];
    if (seller) {
      governance.transfer(seller, address, BigInt(10 + random.below(500)) * GP);
    }
    if (index % 20 === 19) {
      await world.settle();
      world.wait(2 * HOUR);
    }
  }
  await world.settle();
}

/** The years as version 6.0: every kind of payload, what goes wrong, and the upgrade at the end. */
export async function governHarbour(plot: Plot, raising: Fundraising): Promise<void> {
  const { governance, cast } = plot;
  const { world, dao } = governance;
  const vault = governance.walletOf(dao);
  const [newcomer] = plot.some(1);
  const subaccount = await pilotsAccount(plot);
  const oddity = plainActor('harbour oddity').address;
  const to = (newcomer ?? world.giver).address;

  await plot.carry(
    'Charter of the harbour',
    payloads.text('We keep the lighthouse lit. Мы храним свет маяка. 🗼'),
  );
  await plot.trade(40);
  await plot.carry('Paint for the quay', payloads.sendTon(to, toNano(3), 'for the paint'));
  await plot.carry('Reserve for the pilots', payloads.mintTo(dao, 20_000n * GP));
  await plot.carry('Welcome gift', payloads.mintTo(to, 500n * GP));
  await plot.carry('Pay the pilots', payloads.sendJetton(vault, to, 1_000n * GP));
  await plot.carry('Burn a part of the reserve', payloads.burnFrom(vault, 5_000n * GP));
  await plot.carry('Two fifths are enough', payloads.percentage(4000));
  await mishaps(plot);
  await raising.installLpManager('Harbour LP', 'HLP');
  await plot.carry(
    'Account of the pilots',
    payloads.install(subaccount, 'subaccount', { index: 1, name: 'Pilots' }),
  );
  await plot.carry('An odd device', payloads.install(oddity, 9, { name: 'Oddity' }));
  await plot.carry('No more odd device', payloads.uninstall(oddity));
  await plot.trade(30);

  const late = await plot.propose('A second lighthouse', payloads.sendTon(to, toNano(20)), DAY);
  await plot.vote(plot.some(4), late);
  await plot.propose('Close on Sundays', payloads.text('The harbour rests.'), DAY);
  await plot.propose('More GP for nobody', payloads.mintTo(to, GP), DAY);
  world.wait(2 * DAY);
  await plot.vote(plot.some(2), late);

  await plot.carry('Raise funds before we can', payloads.crowdfund(subaccount));
  await plot.carry('Remove what is not there', payloads.uninstall(oddity));
  await plot.carry('Something from the future', payloads.unheardOf());
  await plot.carry('More than we own', payloads.sendTon(to, toNano(5_000_000)));
  await plot.carry('Version 6.1', payloads.upgradeTo(dao, codeOf('dao-6.1')), {
    description: 'Crowdfunding needs a DAO of version 6.1. '.repeat(12),
  });
  const carried = plot.told.at(-1);
  if (carried) {
    await plot.vote(cast.heroes.slice(0, 2), carried);
  }
}

/** The time since the upgrade, and what is still open when the story ends. */
export async function openHarbour(plot: Plot, raising: Fundraising): Promise<void> {
  const { governance, cast } = plot;
  const { world, dao, minter } = governance;
  const to = cast.council[0]?.address ?? world.giver.address;

  await plot.carry('A campaign of nothing', payloads.crowdfund(raising.plugin));
  await plot.carry('A word to the pilots', payloads.custom(to, toNano('0.1'), comment('fair winds')));
  await plot.carry(
    'A better description',
    payloads.newContent(minter, {
      ...harbourMetadata,
      description: 'Votes of the Harbour DAO, by its own decision.',
    }),
  );
  await plot.trade(60);

  const stalled = await plot.stall('Forgotten', payloads.text('Nobody paid for this.'));
  await plot.stall('Too little postage', payloads.sendTon(to, toNano(1)));
  await plot.vote(plot.some(1), stalled);
  const retried = await plot.stall('Second try', payloads.text('This one was asked for again.'));
  governance.retryInit(plot.random.pick(cast.heroes), retried);
  await world.settle();

  const open = await plot.propose('A third crane', payloads.sendTon(to, toNano(12), 'crane'), YEARS);
  const voters = plot.some(6);
  await plot.vote(voters, open);
  await plot.vote(voters.slice(0, 2), open);
  for (const locked of voters.slice(0, 2)) {
    governance.transfer(locked, to, 5n * GP);
  }
  await world.settle();
  await plot.vote(cast.council.slice(0, 2), retried);
  for (const [name, payload] of stillOpen(plot, raising, to)) {
    await plot.propose(name, payload, YEARS);
    world.wait(HOUR);
  }
  await plot.propose(
    'Half a message',
    { type: 'unknown', cell: beginCell().storeUint(7, 16).endCell() },
    YEARS,
  );
  await plot.propose('From a later version', payloads.unheardOf(), YEARS);
  const balance = await world.get(dao, 'get_version');
  if (balance.readNumber() !== 601) {
    throw new Error('the harbour was not upgraded');
  }
}

/** Metadata that the harbour's GP begins with. */
export const harbourMetadata = {
  name: 'Harbour Governance',
  description: 'Votes of the Harbour DAO',
  symbol: 'HRBR',
  decimals: '9',
  image: 'https://harbour.example.invalid/gp.png',
} as const;

/** The pilots' account, a contract of its own. */
async function pilotsAccount({ governance, cast }: Plot): Promise<Address> {
  const { world, dao } = governance;
  const { address, init } = subaccountDeployment(dao, 1, 'Pilots');
  world.send(cast.heroes[0] ?? world.giver, { to: address, value: toNano(2), init });
  await world.settle();
  return address;
}

function stillOpen(plot: Plot, raising: Fundraising, to: Address): [string, payloads.Payload][] {
  const { dao, minter } = plot.governance;
  const vault = plot.governance.walletOf(dao);
  return [
    ['Songs at dawn', payloads.text('Every ship is greeted with a song.')],
    ['Pay the divers', payloads.sendJetton(vault, to, 10n * GP)],
    ['Reward the keepers', payloads.mintTo(to, 750n * GP)],
    ['Burn the rest', payloads.burnFrom(vault, 1_000n * GP)],
    ['Three quarters', payloads.percentage(7500)],
    ['A second account', payloads.install(plainActor('harbour second').address, 'subaccount', { index: 2 })],
    ['Close the account', payloads.uninstall(subaccountDeployment(dao, 1, 'Pilots').address)],
    ['Second campaign', raising.proposal('A second lamp', { maxTotal: toNano(90) })],
    ['The minter once more', payloads.upgradeTo(minter, codeOf('gp-minter'))],
    ['Any message', payloads.custom(to, toNano('0.2'), comment('any'))],
  ];
}

/** What fails or comes back: every holder meets one of these some day. */
async function mishaps(plot: Plot): Promise<void> {
  const { governance } = plot;
  const { world } = governance;
  const [poor, hasty, spender, leaver] = plot.some(4);
  if (!poor || !hasty || !spender || !leaver) {
    throw new Error('the crowd is too small');
  }
  // More than there is; too little gas to begin with; enough to leave, too little to arrive: it bounces.
  governance.transfer(poor, hasty.address, 10_000_000n * GP);
  governance.transfer(hasty, poor.address, GP, toNano('0.01'));
  governance.transfer(spender, hasty.address, GP, toNano('0.012'));
  governance.burn(poor, 10_000_000n * GP);
  await world.settle();
  governance.burn(spender, 2n * GP);
  governance.burn(hasty, GP);
  await world.settle();
  governance.transfer(leaver, spender.address, await governance.balanceOf(leaver.address));
  await world.settle();
  // Now empty: it cannot vote.
  const open = await plot.propose('A holiday', payloads.text('One day without ships.'), DAY);
  await plot.vote([leaver, poor], open);
  await plot.vote([poor], open);
  world.wait(2 * DAY);
}
