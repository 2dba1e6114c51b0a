import { type Address, beginCell, toNano } from '@ton/core';
import {
  type CampaignParams,
  storeCampaignParams,
} from '../../shared/contracts/crowdfunding/campaign-params.ts';
import { initLpManager } from '../../shared/contracts/crowdfunding/init-lp-manager.ts';
import { startCampaign } from '../../shared/contracts/governance/start-campaign.ts';
import { onChainContent } from '../../shared/contracts/jetton/content.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { type Lab, openLab, type Step } from './lab.ts';
import { Campaign } from './story/campaign.ts';
import {
  campaignAddress,
  crowdfundingDeployment,
  feeManagerDeployment,
  lpManagerDeployment,
} from './story/crowdfunding-deployments.ts';
import { Jetton } from './story/jetton.ts';

/** A lab with what campaigns need. Its DAO is the owner: what a real one sends, the story shows. */
export interface CampaignLab extends Lab {
  crowdfunding: Address;
  lpManager: Address;
  lp: Jetton;
  currency: Jetton;
  feeManager: Address;
  /** A contract that takes whatever it is sent: the lab's DAO. */
  destination: Address;
  /** Parameters of a native campaign that has begun and lasts 1,000 seconds, without any limit. */
  params(changes?: Partial<CampaignParams>): CampaignParams;
  /** Starts a campaign; its operator is the owner. */
  start(changes?: Partial<CampaignParams>): Promise<Campaign>;
}

export const DURATION = 1000;
export const ONE = 10n ** 9n;

export async function openCampaignLab(): Promise<CampaignLab> {
  const lab = await openLab();
  const { world, owner, alice, bob } = lab;
  const crowdfunding = crowdfundingDeployment(owner.address);
  const manager = lpManagerDeployment(owner.address, 0, crowdfunding.address);
  const fees = feeManagerDeployment(owner.address);
  const content = onChainContent({ name: 'LP', symbol: 'LP' });
  world.send(
    owner,
    { to: crowdfunding.address, value: toNano('0.5'), init: crowdfunding.init },
    {
      to: manager.address,
      value: toNano('0.5'),
      init: manager.init,
      body: bodyOf(initLpManager, { queryId: 1n, content }),
    },
    { to: fees.address, value: toNano('0.5'), init: fees.init },
  );
  await world.settle();
  const found = await world.get(manager.address, 'get_lp_manager_data');
  found.skip(3);
  const lp = new Jetton(world, found.readAddress());
  const currency = await Jetton.deploy(world, owner, onChainContent({ name: 'Dollar', decimals: '6' }));
  currency.mint(owner, [alice.address, bob.address], 1_000_000n * ONE);
  await world.settle();
  let nextId = 1n;
  const params: CampaignLab['params'] = (changes = {}) => ({
    operator: owner.address,
    lpManager: manager.address,
    currency: null,
    minTotal: 0n,
    maxTotal: 0n,
    minPerUser: 0n,
    maxPerUser: 0n,
    lpPrice: ONE,
    startTime: world.now,
    endTime: world.now + DURATION,
    managementFee: 0,
    hasWhitelist: false,
    lpMinter: lp.minter,
    destination: lab.governance.dao,
    feeManager: fees.address,
    name: 'Campaign',
    description: 'Of a lab.',
    vesting: null,
    ...changes,
  });
  return {
    ...lab,
    crowdfunding: crowdfunding.address,
    lpManager: manager.address,
    lp,
    currency,
    feeManager: fees.address,
    destination: lab.governance.dao,
    params,
    start: async (changes = {}) => {
      const asked = params(changes);
      const cell = beginCell().store(storeCampaignParams(asked)).endCell();
      const body = bodyOf(startCampaign, { queryId: 1n, params: cell });
      world.send(owner, { to: crowdfunding.address, value: toNano('1'), body });
      await world.settle();
      const address = campaignAddress(crowdfunding.address, nextId++);
      return new Campaign(world, address, owner, asked.currency ? currency : null);
    },
  };
}

/** The exit code of the message with that opcode at that account; undefined where there was none. */
export function exitAt(steps: Step[], account: Address): number | undefined {
  return steps.find((step) => step.account === account.toRawString() && !step.bounced)?.exitCode;
}

/** Whether something came back to that account. */
export function cameBack(steps: Step[], account: Address): boolean {
  return steps.some((step) => step.account === account.toRawString() && step.bounced);
}
