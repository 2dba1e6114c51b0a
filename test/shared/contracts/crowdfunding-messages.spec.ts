import { Address } from '@ton/core';
import fc from 'fast-check';
import { acceptContribution } from '../../../shared/contracts/crowdfunding/accept-contribution.ts';
import { addContribution } from '../../../shared/contracts/crowdfunding/add-contribution.ts';
import type { CampaignParams } from '../../../shared/contracts/crowdfunding/campaign-params.ts';
import { changeWhitelist } from '../../../shared/contracts/crowdfunding/change-whitelist.ts';
import { claimDaoFee } from '../../../shared/contracts/crowdfunding/claim-dao-fee.ts';
import { claimLp } from '../../../shared/contracts/crowdfunding/claim-lp.ts';
import { claimVested } from '../../../shared/contracts/crowdfunding/claim-vested.ts';
import { contribute } from '../../../shared/contracts/crowdfunding/contribute.ts';
import { daoFee } from '../../../shared/contracts/crowdfunding/dao-fee.ts';
import { emergencyRelease } from '../../../shared/contracts/crowdfunding/emergency-release.ts';
import { emergencyWithdraw } from '../../../shared/contracts/crowdfunding/emergency-withdraw.ts';
import { finalise } from '../../../shared/contracts/crowdfunding/finalise.ts';
import { initCampaign } from '../../../shared/contracts/crowdfunding/init-campaign.ts';
import { initLpManager } from '../../../shared/contracts/crowdfunding/init-lp-manager.ts';
import { initVault } from '../../../shared/contracts/crowdfunding/init-vault.ts';
import { issueLp } from '../../../shared/contracts/crowdfunding/issue-lp.ts';
import { refund } from '../../../shared/contracts/crowdfunding/refund.ts';
import { refuseContribution } from '../../../shared/contracts/crowdfunding/refuse-contribution.ts';
import { registerCampaign } from '../../../shared/contracts/crowdfunding/register-campaign.ts';
import { releaseVault } from '../../../shared/contracts/crowdfunding/release-vault.ts';
import { requestClaimLpTokens } from '../../../shared/contracts/crowdfunding/request-claim-lp-tokens.ts';
import { requestRefund } from '../../../shared/contracts/crowdfunding/request-refund.ts';
import { setPaused } from '../../../shared/contracts/crowdfunding/set-paused.ts';
import { withdraw } from '../../../shared/contracts/crowdfunding/withdraw.ts';
import {
  address,
  amount,
  cell,
  describeSchemas,
  maybeAddress,
  number,
  of,
  queryId,
  text,
} from './schema-cases.ts';

const vesting = fc.record({ start: number(32), cliff: number(32), duration: number(32), tgeBps: number(16) });
const params: fc.Arbitrary<CampaignParams> = fc.record({
  operator: address,
  lpManager: address,
  currency: maybeAddress,
  minTotal: amount,
  maxTotal: amount,
  minPerUser: amount,
  maxPerUser: amount,
  lpPrice: amount,
  startTime: number(32),
  endTime: number(32),
  managementFee: number(16),
  hasWhitelist: fc.boolean(),
  lpMinter: address,
  destination: address,
  feeManager: address,
  name: text,
  description: text,
  vesting: fc.option(vesting),
});

/** In the order in which the dictionary keeps them. */
const changes = fc
  .uniqueArray(fc.nat(255), { maxLength: 5 })
  .map((bytes) => bytes.toSorted((a, b) => a - b))
  .map((bytes) =>
    bytes.map((byte): [Address, boolean] => [new Address(0, Buffer.alloc(32, byte)), byte % 2 === 0]),
  );

const answered = { queryId, amount, owner: address };

describeSchemas('message schemas of crowdfunding', [
  of(initCampaign, { queryId, dao: address, params, helperCode: cell, vaultCode: cell }),
  of(registerCampaign, { queryId, campaign: address }),
  of(initLpManager, { queryId, content: cell }),
  of(issueLp, { queryId, to: address, amount, forwardTonAmount: amount }),
  of(contribute, { queryId, amount }),
  of(addContribution, { queryId, amount, maxPerUser: amount }),
  of(acceptContribution, answered),
  of(refuseContribution, answered),
  of(setPaused, { queryId, paused: fc.boolean() }),
  of(changeWhitelist, { queryId, changes }),
  of(finalise, { queryId }),
  of(emergencyWithdraw, { queryId }),
  of(claimDaoFee, { queryId }),
  of(daoFee, { queryId, amount }),
  of(requestClaimLpTokens, { queryId }),
  of(claimLp, answered),
  of(requestRefund, { queryId }),
  of(refund, answered),
  of(initVault, { queryId, total: amount, schedule: vesting, lpMinter: address }),
  of(claimVested, { queryId }),
  of(releaseVault, { queryId, owner: address }),
  of(emergencyRelease, { queryId }),
  of(withdraw, { queryId, to: address, amount }),
]);
