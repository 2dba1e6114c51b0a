import { Address } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { CONTRIBUTE_RESERVE } from '../../api/links/gas.ts';
import { codeOf } from '../devnet/contracts/codes.ts';
import { upgradeTo } from '../devnet/story/payloads.ts';
import { Wallet } from '../service/wallet.ts';
import { campaign62 } from './version-6-2.ts';

/** Of the devnet, as the demo's hand-over file has it. */
export interface Cast {
  chainUrl: string;
  campaigns: { address: string; dao: string; currency: string; status: string; hasWhitelist: boolean }[];
  wallets: { address: string; mnemonic: string; roles: string[]; campaign?: string }[];
}

/** A campaign to be upgraded, and a wallet that may contribute to it. */
export interface Target {
  campaign: string;
  dao: string;
  investor: Cast['wallets'][number];
}

/** The native campaigns that are open, one to everybody and one to its guests. */
export function targetsOf({ campaigns, wallets }: Cast): Target[] {
  const open = campaigns.filter(({ currency, status }) => currency === 'native' && status === 'active');
  const first = open.find(({ hasWhitelist }) => !hasWhitelist);
  const contributor = wallets.find(({ roles }) => roles.includes('contributor'));
  const guests = open.flatMap(({ address, dao }) => {
    const guest = wallets.find(
      ({ roles, campaign }) => roles.includes('whitelisted') && campaign === address,
    );
    return guest ? [{ campaign: address, dao, investor: guest }] : [];
  });
  if (!first || !contributor || guests.length === 0) throw new Error('the story has no campaigns to upgrade');
  return [{ campaign: first.address, dao: first.dao, investor: contributor }, ...guests];
}

/** The DAO votes for the new code of its campaign, and the vote is executed. */
export async function upgradeCampaign(chainUrl: string, { campaign, dao }: Target): Promise<void> {
  const payload = upgradeTo(Address.parse(campaign), codeOf('campaign-6.2')).cell;
  const response = await fetch(`${chainUrl}/devnet/carry`, {
    method: 'POST',
    body: JSON.stringify({ dao, payload: payload.toBoc().toString('base64') }),
  });
  if (!response.ok) throw new Error(`the upgrade was not carried: ${await response.text()}`);
}

/** Contributes nanoton by the message of 6.2; resolves once the wallet's transaction is on the chain. */
export async function contributeAnew(chainUrl: string, target: Target, amount: bigint): Promise<void> {
  const client = new TonClient4({ endpoint: chainUrl });
  const wallet = await Wallet.open(client, target.investor);
  const body = campaign62.contribution?.({ queryId: 0n, amount });
  if (!body) throw new Error('6.2 takes no contribution');
  await wallet.sendAndWait({ to: target.campaign, value: amount + CONTRIBUTE_RESERVE, body });
}
