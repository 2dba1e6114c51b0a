import { type Address, type Builder, beginCell, type Cell } from '@ton/core';
import {
  storeCampaignStorage,
  storeCrowdfundingStorage,
  storeFeeManagerStorage,
  storeLpManagerStorage,
  storeShareStorage,
  storeSubaccountStorage,
} from '../../../shared/contracts/crowdfunding/storages.ts';
import { storeMinterStorage } from '../../../shared/contracts/jetton/minter-storage.ts';
import type { ContractName } from '../compile.ts';
import { codeOf } from '../contracts/codes.ts';
import { type Deployment, deployment } from './deployments.ts';

/** The crowdfunding plugin of a DAO before its first campaign. */
export function crowdfundingDeployment(dao: Address): Deployment {
  const codes = {
    campaignCode: codeOf('campaign'),
    helperCode: codeOf('helper'),
    vaultCode: codeOf('vesting-vault'),
  };
  return of('crowdfunding', storeCrowdfundingStorage({ dao, nextCampaignId: 1n, ...codes }));
}

/** An LP manager before it has its minter. */
export function lpManagerDeployment(dao: Address, index: number, crowdfunding: Address): Deployment {
  const codes = { minterCode: codeOf('lp-minter'), walletCode: codeOf('lp-wallet') };
  return of('lp-manager', storeLpManagerStorage({ dao, index, crowdfunding, ...codes }));
}

/** A jetton minter before anything was minted: of LP jettons, or of a currency. */
export function jettonMinterDeployment(admin: Address, content: Cell): Deployment {
  const walletCode = codeOf('lp-wallet');
  return of('lp-minter', storeMinterStorage({ totalSupply: 0n, admin, content, walletCode }));
}

/** Where a jetton wallet of that minter is. */
export function jettonWalletAddress(owner: Address, minter: Address): Address {
  return of('lp-wallet', (builder) => builder.storeCoins(0).storeAddress(owner).storeAddress(minter)).address;
}

export function campaignAddress(crowdfunding: Address, campaignId: bigint): Address {
  return of('campaign', storeCampaignStorage({ crowdfunding, campaignId })).address;
}

export function helperAddress(campaign: Address, owner: Address): Address {
  return of('helper', storeShareStorage({ campaign, owner })).address;
}

export function vaultAddress(campaign: Address, owner: Address): Address {
  return of('vesting-vault', storeShareStorage({ campaign, owner })).address;
}

export function feeManagerDeployment(dao: Address): Deployment {
  return of('fee-manager', storeFeeManagerStorage({ dao }));
}

export function subaccountDeployment(dao: Address, index: number, name: string): Deployment {
  return of('subaccount', storeSubaccountStorage({ dao, index, name }));
}

function of(name: ContractName, store: (builder: Builder) => unknown): Deployment {
  const builder = beginCell();
  store(builder);
  return deployment(name, builder.endCell());
}
