import { type ContractVersion, on } from '../contract-version.ts';
import { startCampaign } from '../governance/start-campaign.ts';
import { upgrade } from '../governance/upgrade.ts';

/** Crowdfunding plugin 6.1: deploys campaigns, which the indexer finds by its out-messages. */
export const crowdfundingPlugin61: ContractVersion = {
  kind: 'crowdfunding',
  version: '6.1',
  receives: [on(startCampaign), on(upgrade)],
};
