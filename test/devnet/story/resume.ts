import { Address } from '@ton/core';
import type { Chain } from '../chain/chain.ts';
import type { StoryFacts } from './facts.ts';
import { Governance } from './governance.ts';
import { STANDING_CLOCK, World } from './world.ts';

/** A DAO of the story as it stands on the chain now, for those who go on with it. */
export async function resumeGovernance(
  chain: Chain,
  dao: StoryFacts['daos'][number],
  now: number,
): Promise<Governance> {
  const world = new World(chain, now, STANDING_CLOCK);
  const address = Address.parse(dao.address);
  const data = await world.get(address, 'get_dao_data');
  data.skip(3);
  return new Governance(world, address, Address.parse(dao.minter), data.readBigNumber());
}
