import { type ContractVersion, on } from '../contract-version.ts';
import { initLpManager } from '../crowdfunding/init-lp-manager.ts';
import { issueLp } from '../crowdfunding/issue-lp.ts';
import { registerCampaign } from '../crowdfunding/register-campaign.ts';
import { upgrade } from '../governance/upgrade.ts';
import { excesses } from '../jetton/excesses.ts';

/**
 * LP manager 6.1: issues the LP jettons of the campaigns that are registered with it. Its LP minter is
 * found by the message that deploys it.
 */
export const lpManager61: ContractVersion = {
  kind: 'lp_manager',
  version: '6.1',
  receives: [on(initLpManager), on(registerCampaign), on(issueLp), on(excesses), on(upgrade)],
};
